/**
 * Authorisation: who may call, what a refusal says, and that nothing of a call is touched before.
 * Invariant: every way to name a tool meets the same decision, and a refused call runs no code of its tool.
 */
import { IsOptional, IsString } from 'class-validator';
import {
  type Approver,
  BaseTool,
  createToolkit,
  type Principal,
  Scopes,
  SideEffect,
  Tool,
  type Toolkit,
} from 'toolcrib';
import { type RecordedOptions, toolkitRunning } from '../fixtures/recorded-toolkit';

let made = 0;
let ran = 0;

class DropInput {
  @IsOptional()
  @IsString()
  table?: string;

  constructor() {
    made += 1;
  }
}

@Tool({ name: 'admin.drop_all', version: '1.0.0', description: 'Drops.', input: DropInput })
@Scopes('admin')
@SideEffect('destructive')
class DropAll extends BaseTool<DropInput, string> {
  execute(): string {
    ran += 1;
    return 'dropped';
  }
}

class AdminService {
  @Tool({ name: 'admin.drop_one', version: '1.0.0', description: 'Drops one.' })
  @Scopes('admin')
  @SideEffect('destructive')
  dropOne(_input: DropInput): string {
    ran += 1;
    return 'dropped';
  }
}

const reader: Principal = { id: 'reader', scopes: ['read'] };
const admin: Principal = { id: 'admin', scopes: ['read', 'admin'] };
const REFUSED = { success: false, error: { code: 'insufficient_scope', retryable: false } };

/** A record that tells every access to it, and to whatever it would hand out. */
function watched(): { readonly args: object; readonly accesses: readonly string[] } {
  const accesses: string[] = [];
  const traps = new Proxy(
    {},
    {
      get: (_target, trap) => (target: object, key: unknown) => {
        accesses.push(`${String(trap)} ${String(key)}`);
        return Reflect.get(Reflect, trap)(target, key);
      },
    },
  );
  return { args: new Proxy({ table: 'orders' }, traps), accesses };
}

/** What the tools do cannot be undone, so somebody has to approve it. */
const approver: Approver = () => ({ type: 'approve' });

describe('a caller who lacks a scope', () => {
  const tool = new DropAll();
  let toolkit: Toolkit;

  beforeAll(async () => {
    toolkit = await createToolkit({ discover: { instances: [tool], classes: [AdminService] } });
  });

  beforeEach(() => {
    made = 0;
    ran = 0;
  });

  const doors = [
    [
      'a name',
      (args: object, principal?: Principal) =>
        toolkit.invoke('admin.drop_all', args, { principal, approver }),
    ],
    [
      'a key',
      (args: object, principal?: Principal) =>
        toolkit.invoke('admin.drop_all@1.0.0', args, { principal, approver }),
    ],
    [
      'a range',
      (args: object, principal?: Principal) =>
        toolkit.invoke('admin.drop_all@^1', args, { principal, approver }),
    ],
    [
      'a class',
      (args: object, principal?: Principal) => toolkit.invoke(DropAll, args, { principal, approver }),
    ],
    [
      'a service and a method',
      (args: object, principal?: Principal) =>
        toolkit.invoke([AdminService, 'dropOne'], args, { principal, approver }),
    ],
    [
      'the instance itself',
      (args: object, principal?: Principal) => tool.invoke(args, { principal, approver }),
    ],
    [
      'an instance that no toolkit has discovered',
      (args: object, principal?: Principal) => new DropAll().invoke(args, { principal, approver }),
    ],
  ] as const;

  it.each(doors)(
    'SEC-08: is refused by %s, before anything of the call is looked at',
    async (_door, invoke) => {
      await invoke({}, admin);
      made = 0;
      ran = 0;
      const { args, accesses } = watched();
      expect(await invoke(args, reader)).toMatchObject(REFUSED);
      expect(await invoke(args, undefined)).toMatchObject(REFUSED);
      expect(accesses).toEqual([]);
      expect([made, ran]).toEqual([0, 0]);
    },
  );

  it.each(doors)('SEC-08: is answered by %s once the scope is held', async (_door, invoke) => {
    expect(await invoke({}, admin)).toEqual({ success: true, result: 'dropped' });
    expect([made, ran]).toEqual([1, 1]);
    const { args, accesses } = watched();
    await invoke(args, admin);
    expect(accesses).not.toEqual([]);
  });

  it('SEC-08: is told of the scope rather than of invalid arguments', async () => {
    expect(await toolkit.invoke('admin.drop_all', { table: 5 }, { principal: reader })).toMatchObject(
      REFUSED,
    );
    expect(await toolkit.invoke('admin.drop_all', { table: 5 }, { principal: admin })).toMatchObject({
      success: false,
      error: { code: 'invalid_input' },
    });
  });

  it('SEC-08: does not see the tool in the catalog', () => {
    expect(toolkit.catalog(reader)).toEqual([]);
    expect(toolkit.catalog()).toEqual([]);
    expect(toolkit.catalog(admin).map(({ name }) => name)).toEqual(['admin_drop_all', 'admin_drop_one']);
  });

  it('SEC-08: stays refused when the same call had been allowed to another', async () => {
    const call = { callId: 'call-1', conversationId: 'c-1' };
    await toolkit.invoke('admin.drop_all', {}, { ...call, principal: admin, approver });
    expect(await toolkit.invoke('admin.drop_all', {}, { ...call, principal: reader })).toMatchObject(REFUSED);
    expect(ran).toBe(1);
  });
});

describe('what a refusal says', () => {
  const refuse = async (
    toolScopes: readonly string[],
    principal: Principal | undefined,
    options?: RecordedOptions,
  ) => {
    const { run } = await toolkitRunning(() => 'done', { toolScopes, ...options });
    return run({}, { principal });
  };

  it('SEC-10: names the missing scopes and nothing else of anyone', async () => {
    const principal = { id: 'ann-EXAMPLE', scopes: ['billing:read'], clientSecret: 'hunter2-EXAMPLE' };
    const result = await refuse(['billing:read', 'billing:write', 'billing:refund'], principal, {
      scopes: ['billing:read', 'billing:write', 'billing:refund', 'internal:root'],
    });
    expect(result).toMatchObject(REFUSED);
    expect(result).toMatchObject({ error: { detail: { missing: ['billing:write', 'billing:refund'] } } });
    const text = JSON.stringify(result);
    for (const secret of ['hunter2-EXAMPLE', 'ann-EXAMPLE', 'billing:read', 'internal:root']) {
      expect(text).not.toContain(secret);
    }
  });

  it('SEC-10: has no detail but the missing scopes', async () => {
    const result = await refuse(['a', 'b'], reader);
    expect(result.success ? undefined : result.error.detail).toEqual({ missing: ['a', 'b'] });
  });

  it('SEC-10: says the same whether or not there is a principal', async () => {
    expect(await refuse(['a', 'b'], undefined)).toEqual(await refuse(['a', 'b'], reader));
  });
});

describe('who may call', () => {
  const call = async (toolScopes: readonly string[], principal: unknown, options?: RecordedOptions) => {
    const { run } = await toolkitRunning(() => 'done', { toolScopes, ...options });
    const invokeOptions: object = { principal };
    return (await run({}, invokeOptions)).success;
  };

  it('is anyone where the scopes are declared empty', async () => {
    expect(await call([], undefined)).toBe(true);
  });

  it('is nobody where no scopes are declared, whatever they hold', async () => {
    @Tool({ name: 'test.undecided', version: '1.0.0', description: 'Runs.' })
    class Undecided {
      execute(): string {
        return 'done';
      }
    }
    const toolkit = await createToolkit({
      discover: { classes: [Undecided] },
      covers: () => true,
    });
    expect(await toolkit.invoke('test.undecided', {}, { principal: admin })).toMatchObject(REFUSED);
    expect(toolkit.catalog(admin)).toEqual([]);
  });

  it('is who holds all scopes, not some', async () => {
    expect(await call(['a', 'b'], { id: 'x', scopes: ['b', 'c', 'a'] })).toBe(true);
    expect(await call(['a', 'b'], { id: 'x', scopes: ['a'] })).toBe(false);
  });

  it.each([
    ['a text', 'admin'],
    ['a text that holds the scope', 'read admin write'],
    ['an object', { admin: true }],
    ['a set', new Set(['admin'])],
    ['null', null],
    ['no scopes', undefined],
    ['a list of a list', [['admin']]],
    ['a list of an object that reads as the scope', [{ toString: (): string => 'admin' }]],
  ])('is not who comes with %s for a list of scopes', async (_case, scopes) => {
    expect(await call(['admin'], { id: 'x', scopes })).toBe(false);
  });

  it('does not take a scope for another that differs in case or is longer', async () => {
    for (const held of ['Admin', 'admin ', 'admin:all', 'adm', '*']) {
      expect(await call(['admin'], { id: 'x', scopes: [held] })).toBe(false);
    }
  });

  it('follows the hierarchy of covers, in which a throw and anything but true are a no', async () => {
    const covers = (held: string, required: string) => required === held || required.startsWith(`${held}:`);
    const holder = { id: 'x', scopes: ['orders'] };
    expect(await call(['orders:read', 'orders:write'], holder, { covers })).toBe(true);
    expect(await call(['billing:read'], holder, { covers })).toBe(false);
    expect(await call(['orders:read'], holder)).toBe(false);
    const throwing = () => {
      throw new Error('no');
    };
    expect(await call(['orders'], holder, { covers: throwing })).toBe(false);
    const truthy: object = { covers: () => 'yes' };
    expect(await call(['orders'], holder, truthy)).toBe(false);
  });
});
