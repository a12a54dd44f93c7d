/**
 * The number of time series, whatever callers send.
 * Invariant: it is bounded by the tools and what they declare. `TOOLCRIB_SERIES_CALLS=50000` runs the long form.
 */
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { createToolkit, Scopes, SideEffect, Tool, ToolError } from 'toolcrib';
import { LABEL_LIMITS, telemetry } from 'toolcrib/telemetry';
import { inMemorySdk } from '../fixtures/in-memory-sdk';
import { silent } from '../fixtures/langgraph-tools';

const CALLS = Number(process.env.TOOLCRIB_SERIES_CALLS ?? 2_000);
const CALLERS = CALLS / 5;

class Input {
  @IsString() @MaxLength(40) text!: string;
  @IsOptional() @IsInt() code?: number;
}

@Tool({ name: 'many.calls', version: '1.0.0', description: 'Is called a lot', input: Input })
@Scopes('many:call')
@SideEffect('none')
class Many {
  execute({ text, code }: Input): string {
    // An author who makes codes of what callers send.
    if (code !== undefined) throw new ToolError({ code: `code_${code}`, message: text, retryable: false });
    return text;
  }
}

/** Of one version of a tool: what the page on observing says. */
const OF_A_TOOL = {
  calls: 2 + 14 + 5 + LABEL_LIMITS.authorCodes + 1,
  duration: 1 + 14 + LABEL_LIMITS.authorCodes + 1,
  fields: LABEL_LIMITS.fields + 1,
  others: 4 + 1 + 5 + 4,
};
const MOST = OF_A_TOOL.calls + OF_A_TOOL.duration + OF_A_TOOL.fields + OF_A_TOOL.others;

it(`of ${CALLS} calls with ${CALLERS} callers and texts stays below the bound`, async () => {
  const sdk = inMemorySdk();
  const toolkit = await createToolkit({
    discover: { classes: [Many] },
    logger: silent,
    observers: [telemetry(sdk.providers)],
  });
  for (let call = 0; call < CALLS; call += 1) {
    const nth = call % CALLERS;
    const text = `text number ${nth} of a caller`;
    const args = [
      { text },
      { text, code: nth },
      { text, [`key ${nth}`]: text },
      { text: text.repeat(3) },
      text,
    ][call % 5];
    const tool = call % 7 === 0 ? `no tool ${nth}` : 'many.calls';
    const scopes = call % 11 === 0 ? [] : ['many:call'];
    await toolkit.invoke(tool, args, {
      principal: { id: `caller-${nth}`, scopes },
      conversationId: `talk-${nth}`,
    });
  }
  const points = [...(await sdk.points()).values()].flat();
  // Tools that there are not count as one more.
  expect(points.length).toBeLessThanOrEqual(2 * MOST);
  expect(points.length).toBeGreaterThan(LABEL_LIMITS.authorCodes);
  const labels = JSON.stringify(points.map((point) => point.labels));
  expect(labels).not.toMatch(/caller|talk-|text number|no tool|key \d/);
  const codes = points.filter((point) => String(point.labels['error.type']).startsWith('code_'));
  expect(codes.length).toBe(2 * LABEL_LIMITS.authorCodes);
}, 300_000);
