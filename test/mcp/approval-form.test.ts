/**
 * What the form shows by which the person at an MCP client approves a call.
 * Invariant: they see the call as the tool would get it, but for credentials, and nothing in it passes for words of the form.
 */
import * as fc from 'fast-check';
import { createMcpHandler } from 'toolcrib/mcp';
import { destructive } from '../fixtures/approved-toolkit';
import { rawCall, userOf } from '../fixtures/asking-client';
import { forAllAwaited } from '../fixtures/for-all';

async function serving() {
  const { toolkit } = await destructive();
  return { handler: createMcpHandler(toolkit, { principal: userOf }) };
}

describe('the form of approval', () => {
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
});
