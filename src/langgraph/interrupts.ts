/**
 * Asks by interrupting the graph, and reads what a run is resumed with.
 * Invariant: a run that cannot pause asks nobody, and pauses of the graph are thrown on.
 */
import { interrupt, isGraphBubbleUp } from '@langchain/langgraph';
import { isObject } from '../contract/json-object';

/** A member of an object's own; undefined where there is none. */
export function ownMember(holder: unknown, name: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** What a run was resumed with; `isAsked` is false where the run cannot pause. Throws the pause itself. */
export function answerTo<Payload>(payload: Payload): {
  readonly isAsked: boolean;
  readonly answer?: unknown;
} {
  try {
    return { isAsked: true, answer: interrupt<Payload, unknown>(payload) };
  } catch (thrown) {
    if (thrown !== null && isGraphBubbleUp(thrown)) throw thrown;
    // There is no graph, or none with a checkpointer.
    return { isAsked: false };
  }
}
