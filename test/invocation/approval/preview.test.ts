/**
 * Previews: what a tool says that a call would do.
 * Invariant: a preview is asked for only where a person is, and whatever becomes of it, the person is asked.
 */
import { IsInt } from 'class-validator';
import {
  type ApprovalRequest,
  BaseTool,
  createToolkit,
  isDeclarationError,
  Scopes,
  SideEffect,
  Tool,
  type ToolContext,
} from 'toolcrib';
import { toolkitRunning } from '../../fixtures/recorded-toolkit';
import { declareMethod } from '../../fixtures/untyped-declarations';

class RefundInput {
  @IsInt()
  amount!: number;
}

@Tool({ name: 'orders.refund', version: '1.0.0', description: 'Refunds.', input: RefundInput })
@Scopes()
@SideEffect('destructive')
class Refund extends BaseTool<RefundInput, string> {
  execute(): string {
    return 'done';
  }
  override preview({ amount }: RefundInput, { callId }: ToolContext): object {
    return { refunds: amount, callId };
  }
}

@Scopes()
class Orders {
  private readonly verb = 'cancels';
  @Tool({
    name: 'orders.cancel',
    version: '1.0.0',
    description: 'Cancels.',
    input: RefundInput,
    preview: 'previewCancel',
  })
  @SideEffect('destructive')
  cancel(_input: RefundInput): string {
    return 'done';
  }
  previewCancel({ amount }: RefundInput): string {
    return `${this.verb} ${amount}`;
  }
}

/** What the reviewer of a call is shown. */
async function shown(run: (approver: (request: ApprovalRequest) => { type: 'approve' }) => Promise<unknown>) {
  const asked: ApprovalRequest[] = [];
  const answer = await run((request) => {
    asked.push(request);
    return { type: 'approve' };
  });
  return { answer, asked };
}

it('is a method of a class tool, or the one that a service names', async () => {
  const { invoke } = await createToolkit({ discover: { classes: [Refund, Orders] } }).then((toolkit) => ({
    invoke: toolkit.invoke.bind(toolkit),
  }));
  const refund = await shown((approver) =>
    invoke('orders.refund', { amount: 5 }, { approver, callId: 'c1' }),
  );
  expect(refund.asked).toMatchObject([{ preview: { refunds: 5, callId: 'c1' } }]);
  const cancel = await shown((approver) => invoke('orders.cancel', { amount: 5 }, { approver }));
  expect(cancel.asked).toMatchObject([{ preview: 'cancels 5' }]);
});

it('gets an input of its own, so that it changes nothing that is shown or runs', async () => {
  const ran: object[] = [];
  @Tool({ name: 'orders.refund', version: '1.0.0', description: 'Refunds.', input: RefundInput })
  @Scopes()
  @SideEffect('destructive')
  class Careless extends BaseTool<RefundInput, string> {
    execute(input: RefundInput): string {
      ran.push({ ...input });
      return 'done';
    }
    override preview(input: RefundInput): object {
      input.amount += 1;
      return { isOwn: input instanceof RefundInput };
    }
  }
  const toolkit = await createToolkit({ discover: { classes: [Careless] } });
  const { asked } = await shown((approver) => toolkit.invoke(Careless, { amount: 5 }, { approver }));
  expect(asked).toMatchObject([{ arguments: { amount: 5 }, preview: { isOwn: true } }]);
  expect(ran).toEqual([{ amount: 5 }]);
});

it('is kept with a request that is decided later', async () => {
  const toolkit = await createToolkit({ discover: { classes: [Refund] } });
  await toolkit.invoke(Refund, { amount: 5 });
  expect(await toolkit.approvals.list()).toMatchObject([{ request: { preview: { refunds: 5 } } }]);
});

/** Calls a destructive tool whose preview does what is given. */
async function previewing(preview: () => unknown, isPause?: (error: unknown) => boolean) {
  class Previewed {
    run(): string {
      return 'done';
    }
    show(): unknown {
      return preview();
    }
  }
  Scopes()(Previewed);
  SideEffect('destructive')(Previewed);
  declareMethod(
    { name: 'test.shown', version: '1.0.0', description: 'Runs.', input: RefundInput, preview: 'show' },
    Previewed,
    'run',
  );
  const toolkit = await createToolkit({
    discover: { classes: [Previewed] },
    timeoutMs: 50,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return shown((approver) => toolkit.invoke('test.shown', { amount: 1 }, { approver, isPause }));
}

it('is masked as arguments are', async () => {
  const { asked } = await previewing(() => ({ password: 'hunter2-and-more' }));
  expect(asked).toMatchObject([{ preview: { password: '[redacted]' } }]);
});

it.each([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no'))],
  ['never settles', () => new Promise(() => {})],
  ['gives nothing', () => undefined],
  ['gives what is not JSON', () => 1n],
  ['gives too much', () => 'x'.repeat(100_000)],
])('that %s blocks nothing: the person is asked without it', async (_case, preview) => {
  const { answer, asked } = await previewing(preview);
  expect(answer).toEqual({ success: true, result: 'done' });
  expect(asked).toHaveLength(1);
  expect(asked[0]).not.toHaveProperty('preview');
});

it('may pause the run', async () => {
  const pause = new Error('wait');
  const throwing = () => {
    throw pause;
  };
  await expect(previewing(throwing, (error) => error === pause)).rejects.toBe(pause);
});

it('is not asked for where nobody is', async () => {
  let previews = 0;
  const { run } = await toolkitRunning(() => 'done', { kind: 'write' });
  await run();
  const toolkit = await createToolkit({ discover: { classes: [Refund] }, approval: false });
  const spec = toolkit.registry.get('orders.refund@1.0.0');
  expect(spec?.preview).toBeDefined();
  class Counted extends Refund {
    override preview(): object {
      previews += 1;
      return {};
    }
  }
  Tool({ name: 'a.b', version: '1.0.0', description: 'd', input: RefundInput })(Counted);
  Scopes()(Counted);
  const counted = await createToolkit({ discover: { classes: [Counted] }, approval: false });
  expect(await counted.invoke('a.b', { amount: 1 })).toMatchObject({ success: true });
  expect(previews).toBe(0);
});

it.each([
  ['names no method', 'missing'],
  ['is no text', 7],
])('is a declaration error where it %s', async (_case, preview) => {
  class Wrong {
    run(): string {
      return 'done';
    }
  }
  declareMethod(
    { name: 'a.b', version: '1.0.0', description: 'd', input: RefundInput, preview },
    Wrong,
    'run',
  );
  const made = createToolkit({ discover: { classes: [Wrong] } });
  await expect(made).rejects.toMatchObject({ problems: [{ code: 'illegal_option' }] });
  await made.catch((error: unknown) => expect(isDeclarationError(error)).toBe(true));
});
