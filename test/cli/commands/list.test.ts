/**
 * `toolcrib list`.
 * Invariant: every version of every tool is listed, in the order of names and versions.
 */

import { makeSpec } from '../../fixtures/hand-made-spec';
import { OrderDesk } from '../order-desk';
import { makeWorkspace, toolkitOf, type Workspace, workspaceOfClasses } from '../workspace';

let desk: Workspace;
beforeAll(() => {
  desk = workspaceOfClasses(OrderDesk);
});
afterAll(() => desk.remove());

it('gives key, model name, scopes, side effect, owner and deprecation as JSON', async () => {
  const { exitCode, stderr, json } = await desk.run(['list', '--json']);
  expect([exitCode, stderr]).toEqual([0, '']);
  const owner = 'OrderDesk';
  expect(json()).toEqual([
    {
      key: 'desk.caller@1.0.0',
      modelName: 'desk_caller',
      scopes: [],
      sideEffect: 'none',
      owner,
      deprecated: false,
    },
    {
      key: 'desk.wipe@1.0.0',
      modelName: 'desk_wipe',
      scopes: null,
      sideEffect: 'destructive',
      owner,
      deprecated: false,
    },
    {
      key: 'orders.lookup@1.0.0',
      modelName: 'orders_lookup',
      scopes: ['orders:read'],
      sideEffect: 'none',
      owner,
      deprecated: false,
    },
    {
      key: 'orders.remind@2.1.0',
      modelName: 'orders_remind',
      scopes: ['orders:write'],
      sideEffect: 'write',
      owner,
      deprecated: 'use orders.notify',
    },
  ]);
});

it('gives a table for people', async () => {
  const { exitCode, stdout } = await desk.run(['list']);
  const rows = stdout.trimEnd().split('\n');
  expect(exitCode).toBe(0);
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ['KEY', 'MODEL NAME', 'SCOPES', 'SIDE EFFECT', 'OWNER', 'DEPRECATED'],
    ['desk.caller@1.0.0', 'desk_caller', 'none: anyone may call', 'none', 'OrderDesk', 'no'],
    [
      'desk.wipe@1.0.0',
      'desk_wipe',
      'not decided: nobody may call',
      'destructive (assumed: not declared), reaches other systems',
      'OrderDesk',
      'no',
    ],
    ['orders.lookup@1.0.0', 'orders_lookup', 'orders:read', 'none', 'OrderDesk', 'no'],
    [
      'orders.remind@2.1.0',
      'orders_remind',
      'orders:write',
      'write, reaches other systems',
      'OrderDesk',
      'yes: use orders.notify',
    ],
  ]);
});

it('orders versions as SemVer does, and escapes what owners are called', async () => {
  const owner = 'a\u001b[31m\nb';
  const specs = ['1.10.0', '1.9.0', '2.0.0-beta.1'].map((version) => makeSpec('a.b', version, { owner }));
  const opened = makeWorkspace(() => toolkitOf(...specs));
  const { stdout } = await opened.run(['list']);
  opened.remove();
  const rows = stdout.trimEnd().split('\n').slice(1);
  expect(rows.map((row) => row.split(' ')[0])).toEqual(['a.b@1.9.0', 'a.b@1.10.0', 'a.b@2.0.0-beta.1']);
  expect(rows[0]).toContain('a\\u001b[31m b');
});

it('is an empty array where there are no tools', async () => {
  const opened = makeWorkspace(() => toolkitOf());
  expect((await opened.run(['list', '--json'])).json()).toEqual([]);
  expect((await opened.run(['list'])).exitCode).toBe(0);
  opened.remove();
});
