/**
 * A tool that does what it is told, and what leaves when it does: the answer and the log.
 * Invariant: everything is seen as a caller and an operator see it, through the public names alone.
 */
import {
  createToolkit,
  type Logger,
  Scopes,
  SideEffect,
  Tool,
  type ToolContext,
  type ToolResult,
} from 'toolcrib';

@Tool({ name: 'measure.probe', version: '1.0.0', owner: 'Bench', description: 'Does what it is told' })
@Scopes()
@SideEffect('none')
class Probe {
  act: (context: ToolContext) => unknown = () => null;

  execute(_input: unknown, context: ToolContext): unknown {
    return this.act(context);
  }
}

/** What left a call. */
export interface Departure {
  readonly answer: ToolResult<unknown>;
  readonly log: readonly unknown[];
}

/** Makes a toolkit in which one secret is named, and gives what makes a call do something. */
export async function makeProbe(
  secret: string,
): Promise<(act: (context: ToolContext) => unknown) => Promise<Departure>> {
  const instance = new Probe();
  const log: unknown[] = [];
  const level = (fields: object, message?: string) => {
    log.push({ fields, message });
  };
  const logger: Logger = { debug: level, info: level, warn: level, error: level };
  const toolkit = await createToolkit({
    discover: { instances: [instance] },
    logger,
    redact: { values: [secret] },
  });
  return async (act) => {
    log.length = 0;
    instance.act = act;
    // Each call is of a conversation of its own, so that none counts as a repetition of another.
    const answer = await toolkit.invoke('measure.probe', {}, { conversationId: crypto.randomUUID() });
    return { answer, log: [...log] };
  };
}

/** All texts of a value, keys included. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, part]) => [key, ...textsOf(part)]);
}
