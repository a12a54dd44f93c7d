/**
 * Approval by the person at an MCP client.
 * Invariant: a destructive call runs only by an accepted form that says so, for these arguments and this caller.
 */
import { Client } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { createToolkit, MemoryLedger, NoInput, Scopes, SideEffect, Tool, ToolError } from 'toolcrib';
import { createMcpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { destructive } from '../fixtures/approved-toolkit';
import { clientOf, envelopeOf, type FormAnswer, rawCall, userOf } from '../fixtures/asking-client';
import { forAllAwaited } from '../fixtures/for-all';
import { type RecordedOptions, toolkitRunning } from '../fixtures/recorded-toolkit';

const approve = { action: 'accept', content: { decision: 'approve' } } as const;

async function serving(options: RecordedOptions = {}, served: McpHandlerOptions = {}) {
  const made = await destructive(options);
  return { ...made, handler: createMcpHandler(made.toolkit, { principal: userOf, ...served }) };
}

async function callOf(client: Client, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({
    name: 'test_run',
    arguments: args,
  });
  const [block] = content;
  return isError === true && block?.type === 'text' ? JSON.parse(block.text).error : structuredContent;
}

describe('approval over MCP', () => {
  it('lets a call run that is approved', async () => {
    const { handler, ran, toolkit } = await serving();
    const client = await clientOf(handler, () => approve);
    expect(await callOf(client, { id: 1 })).toBe('done');
    expect(ran).toEqual([{ id: 1 }]);
    expect(await toolkit.approvals.list()).toEqual([]);
  });

  it.each<[string, FormAnswer]>([
    ['rejects', { action: 'accept', content: { decision: 'reject', reason: 'Not today.' } }],
    ['declines', { action: 'decline' }],
  ])('answers approval_rejected where the person %s', async (_, answer) => {
    const { handler, ran } = await serving();
    const error = await callOf(await clientOf(handler, () => answer));
    expect(error).toMatchObject({ code: 'approval_rejected', retryable: false });
    expect(error.message.includes('Not today.')).toBe(answer.content !== undefined);
    expect(ran).toEqual([]);
  });

  it.each<[string, FormAnswer]>([
    ['cancels', { action: 'cancel' }],
    ['sends no decision', { action: 'accept', content: {} }],
    ['says something else', { action: 'accept', content: { decision: 'yes' } }],
    ['sends no text', { action: 'accept', content: { decision: true } }],
  ])('keeps the request open where the person %s', async (_, answer) => {
    const { handler, ran, toolkit } = await serving();
    const error = await callOf(await clientOf(handler, () => answer));
    expect(error).toMatchObject({ code: 'approval_required', retryable: true });
    expect(await toolkit.approvals.list()).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it.each([
    ['the client cannot show forms', {}, undefined],
    ['the application has others approve', { clientApproves: false }, () => approve],
  ] as const)('answers approval_required where %s', async (_, served, answer) => {
    const { handler, ran, toolkit } = await serving({}, served);
    const client = await clientOf(handler, answer);
    expect(await callOf(client)).toMatchObject({ code: 'approval_required' });
    const [open] = await toolkit.approvals.list();
    await toolkit.approvals.approve(open?.request.id ?? '', { by: 'ada' });
    expect(await callOf(client)).toBe('done');
    expect(ran).toHaveLength(1);
  });

  it('runs a call by a form that approves it, and by nothing else', async () => {
    const { handler, ran } = await serving();
    const word = fc.oneof(fc.jsonValue(), fc.constantFrom('approve', 'reject', 'APPROVE', 'approve '));
    const content = fc.oneof(
      fc.jsonValue(),
      fc.record({ decision: word, reason: word }, { requiredKeys: [] }),
    );
    const action = fc.constantFrom('accept', 'decline', 'cancel', 'approve', 'ACCEPT');
    const forms = [approve, { action: 'decline', content: approve.content }];
    let id = 0;
    await forAllAwaited(
      fc.oneof(fc.record({ action, content }), fc.constantFrom(...forms)),
      async (approval) => {
        const before = ran.length;
        id += 1;
        const { result } = await rawCall(handler, { arguments: { id } });
        const { requestState } = result ?? {};
        await rawCall(handler, { arguments: { id }, requestState, inputResponses: { approval } });
        const { decision } = Object(approval.content);
        const isApproved = approval.action === 'accept' && decision === 'approve';
        expect(ran).toHaveLength(isApproved ? before + 1 : before);
      },
    );
    expect(ran.length).toBeGreaterThan(0);
  });

  it('runs an approved call once, however often its approval is sent', async () => {
    const { handler, ran } = await serving();
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const last = {
      arguments: { id: 1 },
      requestState: result?.requestState,
      inputResponses: { approval: approve },
    };
    const answers = await Promise.all([1, 2, 3].map(() => rawCall(handler, last)));
    expect(answers.map((answer) => answer.result?.structuredContent)).toEqual(['done', 'done', 'done']);
    expect(ran).toEqual([{ id: 1 }]);
  });

  it('holds for one call: not for other arguments, not for another caller, not without its state', async () => {
    const { handler, ran } = await serving();
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const { requestState } = result ?? {};
    const inputResponses = { approval: approve };
    const others = [
      { arguments: { id: 2 }, requestState, inputResponses },
      { arguments: { id: 1 }, requestState, inputResponses, user: 'bob' },
      { arguments: { id: 1 }, inputResponses },
    ];
    const answers = await Promise.all(others.map((other) => rawCall(handler, other)));
    expect(answers.map(({ error, result: asked }) => error?.code ?? asked?.resultType)).toEqual([
      -32602,
      -32602,
      'input_required',
    ]);
    expect(ran).toEqual([]);
  });

  it('shows the call: tool, side effect, caller, and arguments with their secrets masked', async () => {
    const { handler } = await serving();
    const { result } = await rawCall(handler, {
      arguments: { id: 7, free: { password: 'hunter2-hunter2' } },
    });
    const { message = '' } = result?.inputRequests?.approval?.params ?? {};
    for (const part of ['test.run@1.0.0', 'destructive', '"ann"', '"id":7']) expect(message).toContain(part);
    expect(message).not.toContain('hunter2');
  });

  it('shows the preview, and takes up in one process what another has asked', async () => {
    @Scopes()
    @SideEffect('destructive')
    class Refunds {
      @Tool({ name: 'test.run', version: '1.0.0', description: 'Pays back', input: NoInput, preview: 'show' })
      pay(_: NoInput): string {
        return 'paid';
      }

      show(): object {
        return { left: '12 <b>EUR</b>' };
      }
    }
    const ledger = new MemoryLedger();
    const [one, other] = await Promise.all(
      [1, 2].map(async () =>
        createMcpHandler(await createToolkit({ discover: { classes: [Refunds] }, ledger }), {
          requestStateKey: 'k'.repeat(32),
        }),
      ),
    );
    if (one === undefined || other === undefined) throw new TypeError('there are two');
    const { result } = await rawCall(one, {});
    const { message } = result?.inputRequests?.approval?.params ?? {};
    expect(message).toContain('"left":"12 \\u003cb\\u003eEUR');
    const last = { requestState: result?.requestState, inputResponses: { approval: approve } };
    for (const handler of [other, one]) {
      expect((await rawCall(handler, last)).result?.structuredContent).toBe('paid');
    }
    expect(await ledger.list({ state: 'finished' })).toHaveLength(1);
  });

  it('lets no argument pass for words of the form', async () => {
    const { handler } = await serving();
    const unsafe = fc.string({
      unit: fc.oneof(
        fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
        fc.constantFrom(
          '\n',
          '\r',
          '\u2028',
          '\u202e',
          '\u200b',
          '\u{e0041}',
          '\0',
          '<',
          '`',
          '](',
          '**',
          '"',
          '\\',
          'a',
        ),
      ),
      maxLength: 40,
    });
    const plain = await rawCall(handler, { arguments: { note: '' } });
    const lines = plain.result?.inputRequests?.approval?.params.message.split('\n').length;
    await forAllAwaited(unsafe, async (note) => {
      const { result } = await rawCall(handler, { arguments: { note } });
      const { message = '' } = result?.inputRequests?.approval?.params ?? {};
      expect(message.split(/[\n\r\u2028\u2029]/)).toHaveLength(lines ?? 0);
      expect(message).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}<>`*]|[^\P{Cc}\n]/u);
      const shown = message.split('\n').find((line) => line.startsWith('Arguments: '));
      // It reads back as what the tool would get.
      expect(JSON.parse(shown?.slice('Arguments: '.length) ?? '')).toEqual({ note });
    });
  });

  /** The lines of the form, by what they begin with. */
  async function formOf(args: object) {
    const { handler } = await serving();
    const { result } = await rawCall(handler, { arguments: args });
    const { message = '' } = result?.inputRequests?.approval?.params ?? {};
    const lineOf = (start: string) => message.split('\n').find((line) => line.startsWith(start));
    return { shown: lineOf('Arguments: '), masked: lineOf('Masked: ') };
  }

  it('shows what nobody would see, in keys too', async () => {
    const free = { 'to\u200b': 'x\u{e0041}\u202ey\ud800z\u00a0\u2800' };
    const { shown } = await formOf({ free });
    expect(shown).toBe('Arguments: {"free":{"to\\u200b":"x\\udb40\\udc41\\u202ey\\ud800z\\u00a0\\u2800"}}');
  });

  it('shows personal data, by which a reviewer tells one call from another', async () => {
    const { shown, masked } = await formOf({ note: 'to eve@evil.example by 4111 1111 1111 1111' });
    expect(shown).toBe('Arguments: {"note":"to eve@evil.example by 4111 1111 1111 1111"}');
    expect(masked).toBeUndefined();
  });

  it('says what it masks, and makes no two values look the same', async () => {
    const of = (token: string) => formOf({ free: { token } });
    const [one, other, same] = [
      await of('hunter2-and-a'),
      await of('hunter2-and-b'),
      await of('hunter2-and-a'),
    ];
    expect(one?.shown).toBe('Arguments: {"free":{"token":"[redacted]"}}');
    expect(one?.masked).toMatch(/^Masked: "\/arguments\/free\/token" \(13 characters, digest [0-9a-f]{8}\)$/);
    expect(one?.masked).not.toBe(other?.masked);
    expect(one?.masked).toBe(same?.masked);
  });

  it('keeps values apart whose keys are masked alike', async () => {
    const [first, second] = ['a', 'b'].map((end) => `ghp_16C7e42F292c6912E7710c838347Ae178B4${end}`);
    const { shown, masked } = await formOf({ free: { [`${first}`]: 1, [`${second}`]: 2 } });
    expect(shown).toBe('Arguments: {"free":{"[redacted]":1,"[redacted] 2":2}}');
    expect(masked?.match(/digest/g)).toHaveLength(2);
  });

  it('lets no row of blanks push the rest out of sight', async () => {
    const { shown } = await formOf({ note: 'pay 1   to eve' });
    expect(shown).toBe('Arguments: {"note":"pay 1 \\u0020\\u0020to eve"}');
  });

  it('makes no link of a mask', async () => {
    const { shown } = await formOf({ note: '[redacted](http://evil.example)' });
    expect(shown).toContain('\\u005bredacted\\u005d(');
  });

  it('asks nobody to approve what no form can show whole', async () => {
    const { handler, ran, toolkit } = await serving();
    const answer = await rawCall(handler, { arguments: { note: 'word '.repeat(2_000) } });
    expect(envelopeOf(answer)).toMatchObject({ error: { code: 'approval_required' } });
    expect(await toolkit.approvals.list()).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  const approved = { arguments: { id: 1 }, inputResponses: { approval: approve } };
  const required = { error: { code: 'approval_required' } };

  it.each<[string, RecordedOptions, number]>([
    ['without a ledger', { ledger: false }, 1],
    ['that has no side effect', { kind: 'none', approval: { policy: () => true } }, 1],
  ])('lets a call run once by one approval %s', async (_, options, times) => {
    const { handler, ran, toolkit } = await serving(options);
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const last = { ...approved, requestState: result?.requestState };
    const answers = await Promise.all([1, 2, 3].map(() => rawCall(handler, last)));
    expect(answers[0]?.result?.structuredContent).toBe('done');
    for (const answer of answers.slice(1)) expect(envelopeOf(answer)).toMatchObject(required);
    expect(ran).toHaveLength(times);
    expect(await toolkit.approvals.list()).toHaveLength(1);
  });

  it('lets a call that may be tried again run once by one approval', async () => {
    let runs = 0;
    const { toolkit } = await toolkitRunning(
      () => {
        runs += 1;
        throw new ToolError({ code: 'busy_now', message: 'Busy.', retryable: true });
      },
      { kind: 'destructive', approval: {} },
    );
    const handler = createMcpHandler(toolkit, { principal: userOf });
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const last = { ...approved, requestState: result?.requestState };
    const [first, second] = [await rawCall(handler, last), await rawCall(handler, last)];
    expect(envelopeOf(first)).toMatchObject({ error: { code: 'busy_now' } });
    expect(envelopeOf(second)).toMatchObject(required);
    expect(runs).toBe(1);
  });

  it('is rejected for good: the same state approves nothing any more', async () => {
    const { handler, ran } = await serving();
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const { requestState } = result ?? {};
    const rejection = { arguments: { id: 1 }, inputResponses: { approval: { action: 'decline' } } };
    for (const sent of [rejection, approved]) {
      const answer = await rawCall(handler, { ...sent, requestState });
      expect(envelopeOf(answer)).toMatchObject({ error: { code: 'approval_rejected' } });
    }
    expect(ran).toEqual([]);
  });

  it('holds ten minutes from when it was asked for, however often the state was renewed', async () => {
    const { handler, ran } = await serving();
    const now = Date.now();
    const first = await rawCall(handler, { arguments: { id: 1 } });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 540_000);
    try {
      const { requestState } = first.result ?? {};
      const { result } = await rawCall(handler, { arguments: { id: 1 }, requestState });
      clock.mockReturnValue(now + 660_000);
      const late = await rawCall(handler, { ...approved, requestState: result?.requestState });
      expect(late.error?.code).toBe(-32602);
      expect(ran).toEqual([]);
    } finally {
      clock.mockRestore();
    }
  });

  it('holds for the tool as it was when it was asked for', async () => {
    const { handler, ran, toolkit } = await serving();
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const spec = toolkit.registry.get('test.run@1.0.0');
    if (spec === undefined) throw new TypeError('there is one');
    toolkit.registry.update((draft) => {
      draft.remove(spec.key);
      draft.register(Object.freeze({ ...spec, description: 'Runs otherwise' }));
    });
    const answer = await rawCall(handler, { ...approved, requestState: result?.requestState });
    expect(answer.error?.code).toBe(-32602);
    expect(ran).toEqual([]);
  });

  it('is asked for again where the answer is missing', async () => {
    const { handler, ran } = await serving();
    const first = await rawCall(handler, { arguments: { id: 1 } });
    const { requestState } = first.result ?? {};
    const wrongKey = { requestState, arguments: { id: 1 }, inputResponses: { other: approve } };
    const again = await rawCall(handler, wrongKey);
    expect(Object.keys(again.result?.inputRequests ?? {})).toEqual(['approval']);
    expect(ran).toEqual([]);
  });
});
