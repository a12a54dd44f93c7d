/**
 * `toolcrib check`, as a command: what is found is tested with the check itself.
 * Invariant: it succeeds only where there are tools and nothing is found in them.
 */
import { outputContract } from 'toolcrib';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { OrderDesk } from '../order-desk';
import { makeWorkspace, toolkitOf, type Workspace, workspaceOfClasses } from '../workspace';

let desk: Workspace;
beforeAll(() => {
  desk = workspaceOfClasses(OrderDesk);
});
afterAll(() => desk.remove());

const WIPED = {
  code: 'missing_scopes',
  place: expect.objectContaining({ tool: 'desk.wipe@1.0.0', class: 'OrderDesk', member: 'wipe' }),
  reason: expect.any(String),
  mend: expect.any(String),
};

/** The tools of findings in JSON. */
function keysIn(findings: unknown): readonly unknown[] {
  return Array.isArray(findings) ? findings.map(({ place }) => place.tool) : [];
}

it('gives findings as an array, with exit code 1', async () => {
  const { exitCode, json } = await desk.run(['check', '--json']);
  expect(exitCode).toBe(1);
  expect(json()).toContainEqual(WIPED);
});

it('gives those of one tool alone', async () => {
  const all = keysIn((await desk.run(['check', '--json'])).json());
  const { exitCode, json } = await desk.run(['check', 'desk_wipe', '--json']);
  expect(exitCode).toBe(1);
  expect(json()).toContainEqual(WIPED);
  expect(keysIn(json())).toEqual(all.filter((key) => key === 'desk.wipe@1.0.0'));
  expect(new Set(all).size).toBeGreaterThan(1);
});

it('groups them by tool for people, with code, place, reason and mend', async () => {
  const { exitCode, stdout, stderr } = await desk.run(['check']);
  const json: unknown = (await desk.run(['check', '--json'])).json();
  const tools = stdout.split('\n').filter((line) => /^\S/.test(line));
  expect(exitCode).toBe(1);
  expect(new Set(tools).size).toBe(tools.length);
  expect(tools).toContain('desk.wipe@1.0.0');
  expect(stdout).toMatch(/\n {2}missing_scopes {2}OrderDesk\.wipe\n {4}\S.*\n {4}\S/);
  expect(stderr).toBe(`${Array.isArray(json) ? json.length : -1} findings in 4 tools\n`);
});

it('succeeds where nothing is found', async () => {
  const sound = makeSpec('orders.lookup', '1.0.0', {
    owner: 'OrderDesk',
    description: 'Look up order status and shipping details by order reference',
    output: outputContract({ kind: 'scalar', type: 'boolean' }),
  });
  const opened = makeWorkspace(() => toolkitOf(sound));
  const words = await opened.run(['check']);
  const json = await opened.run(['check', 'orders.lookup', '--json']);
  opened.remove();
  expect(words).toMatchObject({ exitCode: 0, stdout: '', stderr: '0 findings in 1 tools\n' });
  expect([json.exitCode, json.json()]).toEqual([0, []]);
});

it('fails where there are no tools', async () => {
  const opened = makeWorkspace(() => toolkitOf());
  const { exitCode, json } = await opened.run(['check', '--json']);
  opened.remove();
  expect([exitCode, json()]).toEqual([1, []]);
});
