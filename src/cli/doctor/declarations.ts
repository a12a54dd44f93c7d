/**
 * Looks at the declarations of the tools.
 * Invariant: the judgement is that of start-up and of `toolcrib check`.
 */
import type { ToolSpec } from '../../contract/tool';
import { readParameterTypes, readPropertyType } from '../../metadata/own-facts';
import { fieldsOf } from '../check/fields';
import { findFindings } from '../check/find';
import { fail, ok, type Symptom, warn } from './symptom';

/** Whether a reviewer would object to something. */
export function checkDeclarations(specs: readonly ToolSpec[]): Symptom {
  const tools = `${specs.length} tools`;
  if (specs.length === 0) {
    const mend =
      'See to it that discovery reaches the files of the tools, and that these export their classes.';
    return fail('declarations', 'there are no tools', mend);
  }
  const findings = findFindings(specs);
  if (findings.length === 0) return ok('declarations', `${tools}, nothing is found in them`);
  return warn('declarations', `${findings.length} findings in ${tools}`, 'Run toolcrib check.');
}

/** The types that the compiler has, or has not, emitted for decorated methods and properties. */
function typesOf(spec: ToolSpec): readonly unknown[] {
  const { declaredBy, source } = spec;
  const { member } = source;
  const isMethod = declaredBy !== undefined && member !== 'execute';
  const ofFields = fieldsOf(spec).fields.flatMap(({ cls, name }) =>
    cls === undefined ? [] : [readPropertyType(cls.prototype, name)],
  );
  return [...(isMethod ? [readParameterTypes(declaredBy.prototype, member)] : []), ...ofFields];
}

/** Whether the compiler emits the types of what is decorated, which spares naming inputs. */
export function checkEmittedTypes(specs: readonly ToolSpec[]): Symptom {
  const check = 'emitted types';
  const types = specs.flatMap(typesOf);
  if (types.length === 0) return ok(check, 'nothing is decorated that has any');
  const emitted = types.filter((type) => type !== undefined).length;
  if (emitted > 0) return ok(check, `of ${emitted} decorated members`);
  const mend = 'Name the input of methods in @Tool, or set emitDecoratorMetadata where the compiler has it.';
  return warn(check, 'the compiler emits none', mend);
}
