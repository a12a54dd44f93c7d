/**
 * Outputs that LangChain would take for something else, in every runtime.
 * Invariant: the content of an answer is always the text of its envelope, and the artifact the envelope.
 */
import fc from 'fast-check';
import { toLangChainTools } from 'toolcrib/langgraph';
import { allRuntimes, answersOf, bareToolNode, envelopeOf } from '../fixtures/langgraph-runtimes';
import { toolkitOf } from '../fixtures/langgraph-tools';

const call = { id: 'call-1', name: 'a_b', args: {} };

describe.each(allRuntimes)('$name', (runtime) => {
  it.each([
    { output: [] },
    { output: [{ type: 'text', text: 'a text block' }] },
    { output: [{ type: 'invoice', total: 7 }] },
    { output: ['content', 'artifact'] },
    { output: { type: 'tool', lc_direct_tool_output: true, content: 'mine', tool_call_id: 'call-other' } },
    { output: { lg_name: 'Command', goto: 'elsewhere', graph: '__parent__' } },
    { output: '' },
    { output: 0 },
    { output: null },
  ])('answers $output as text, with the artifact beside it', async ({ output }) => {
    const tools = toLangChainTools(await toolkitOf({ 'a.b': () => output }));
    const messages = await answersOf(runtime, tools, [call]);
    expect(messages).toMatchObject([{ status: 'success', tool_call_id: 'call-1', name: 'a_b' }]);
    expect(envelopeOf(messages[0])).toStrictEqual({ isError: false, result: output });
    expect(messages[0]?.artifact).toStrictEqual({ isError: false, result: output });
  });

  it('answers no output as null, and what is not JSON as invalid_output', async () => {
    const outputs: readonly unknown[] = [undefined, 10n];
    const tools = toLangChainTools(await toolkitOf({ 'a.b': ({ note }) => outputs[Number(note)] }));
    const calls = outputs.map((_, index) => ({
      ...call,
      id: `call-${index}`,
      args: { note: String(index) },
    }));
    expect(await answersOf(runtime, tools, calls)).toMatchObject([
      { status: 'success', artifact: { isError: false, result: null } },
      { status: 'error', artifact: { isError: true, error: { code: 'invalid_output' } } },
    ]);
  });
});

it('for all JSON outputs the content is the text of the envelope', async () => {
  let output: unknown;
  const tools = toLangChainTools(await toolkitOf({ 'a.b': () => output }));
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (json) => {
      // Through JSON once, since that has no negative zero.
      output = JSON.parse(JSON.stringify(json));
      const messages = await answersOf(bareToolNode, tools, [call]);
      expect(messages).toMatchObject([{ status: 'success', tool_call_id: 'call-1' }]);
      expect(envelopeOf(messages[0])).toStrictEqual({ isError: false, result: output });
    }),
    { seed: 5, numRuns: 200 },
  );
});
