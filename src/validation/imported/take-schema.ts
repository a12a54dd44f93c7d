/**
 * Takes a raw JSON Schema from outside: copied, judged, and made ready for the gate.
 * Invariant: what is returned is frozen plain data without a problem; nothing of the given object is kept.
 */
import { deepFreeze } from '../../contract/deep-freeze';
import { isSchema, type JsonSchema } from '../../contract/schema';
import { DeclarationError, type DeclarationProblem, throwProblems } from '../../errors/declaration-error';
import { snapshot } from '../snapshot';
import { type Draft, draftOf } from './dialect';
import { toGateForm } from './gate-form';
import { hasKey, isHalfPaired, isProto } from './keys';
import { SCHEMA_LIMITS } from './limits';
import { metaSchemaProblems } from './meta-schema';
import { admitsOnlyObjects } from './object-root';
import { patternProblems } from './patterns';
import { schemaProblem } from './problem';
import { References } from './references';
import { StepCounter, TooCostly } from './steps';

/** A schema that was taken. */
export interface TakenSchema {
  /** As it was given. */
  readonly schema: JsonSchema;
  /** As the gate compiles it. */
  readonly gateForm: JsonSchema;
  readonly steps: StepCounter;
}

function refuse(pointer: string, message: string, mend: string): never {
  throw new DeclarationError([schemaProblem(pointer, message, mend)]);
}

function copy(given: unknown): JsonSchema {
  const copied = snapshot(given, SCHEMA_LIMITS);
  if (!copied.ok) {
    const [violation] = copied.violations;
    return refuse(violation?.path ?? '', violation?.message ?? '', 'give a smaller schema, as plain JSON');
  }
  if (!isSchema(copied.value))
    return refuse('', 'it is not an object', 'give a JSON Schema that is an object');
  if (hasKey(copied.value, isProto)) {
    return refuse('', 'a key is __proto__, which no program passes on safely', 'leave that key out');
  }
  if (hasKey(copied.value, isHalfPaired)) {
    return refuse('', 'a key holds half a surrogate pair', 'write keys that UTF-8 can carry');
  }
  return deepFreeze(copied.value);
}

function referenceProblems(
  schema: JsonSchema,
  draft: Draft,
  references: References,
): readonly DeclarationProblem[] {
  const unread = references.unread.filter((target) => target !== schema);
  return [
    ...references.problems,
    ...unread.flatMap((target) => metaSchemaProblems(target, draft, references.pointerOf(target))),
  ];
}

function costProblem(steps: StepCounter, pointerOf: (form: JsonSchema) => string): DeclarationProblem[] {
  try {
    steps.checkInPlace();
    return [];
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    const pointer = pointerOf(error.schema);
    if (error.isLoop) {
      const message = 'its references come back to it without a step into the value';
      return [
        schemaProblem(pointer, message, 'let a reference of the loop apply to a property or to an item'),
      ];
    }
    const message = `it applies more than ${SCHEMA_LIMITS.maxInPlace} schemas to one value`;
    return [schemaProblem(pointer, message, 'let fewer branches and references apply to the same value')];
  }
}

/**
 * Takes a schema.
 *
 * @throws DeclarationError with what keeps it from being taken.
 */
export function takeSchema(given: unknown, demand: 'object' | 'any'): TakenSchema {
  const schema = copy(given);
  const draft = draftOf(schema);
  if (draft === undefined) {
    const mend = 'write it in draft 2020-12 or 7, and say so in $schema';
    return refuse('/$schema', 'the schema is of an unknown draft', mend);
  }
  throwProblems(metaSchemaProblems(schema, draft, ''));
  const references = new References(schema, draft);
  throwProblems(referenceProblems(schema, draft, references));
  throwProblems(patternProblems(references));
  const { schema: gateForm, origins } = toGateForm(schema, draft, references);
  const steps = new StepCounter(gateForm);
  throwProblems(
    costProblem(steps, (form) => {
      const origin = origins.get(form);
      return origin === undefined ? '' : references.pointerOf(origin);
    }),
  );
  if (demand === 'object' && !admitsOnlyObjects(gateForm)) {
    const message = 'it admits other values than objects, and arguments are an object';
    return refuse('', message, "write type: 'object'");
  }
  return { schema, gateForm, steps };
}
