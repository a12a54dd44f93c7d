/**
 * Everything that a reviewer should look at in a set of tools.
 * Invariant: the findings depend on the declarations alone, and stand in the order of the tools, of their
 * fields and of the rules; those about waivers come last.
 */
import type { ToolSpec } from '../../contract/tool';
import { faultsOfField, faultsOfObject } from './field-rules';
import { fieldsOf, type ObjectNode } from './fields';
import type { Fault, Finding, FindingPlace } from './finding';
import { toolFaults } from './tool-rules';
import { type Waiver, Waivers } from './waivers';

export type { Finding } from './finding';

function placeOf({ key }: ToolSpec, { document, pointer, cls }: ObjectNode, member?: string): FindingPlace {
  return {
    tool: key,
    schemaPath: document.placeOf(pointer),
    ...(cls === undefined ? {} : { class: cls.name, ...(member === undefined ? {} : { member }) }),
  };
}

/** Finds what is wrong, or only doubtful, with tools that are offered together; what is waived is left out. */
export function findFindings(specs: readonly ToolSpec[]): readonly Finding[] {
  const waivers = new Waivers();
  const faultsOfTool = toolFaults(specs);
  const findings = specs.flatMap((spec) => {
    const { source } = spec;
    const onTool = waivers.ofTool(spec);
    const keep = (faults: readonly Fault[], place: FindingPlace, nearer: readonly Waiver[]): Finding[] =>
      faults
        .filter(({ code }) => !waivers.silence(code, [...nearer, ...onTool]))
        .map(({ code, reason, mend }) => ({ code, place, reason, mend }));
    const { objects, fields } = fieldsOf(spec);
    return [
      ...keep(faultsOfTool(spec), { tool: spec.key, class: source.class, member: source.member }, []),
      ...objects.flatMap((object) =>
        keep(faultsOfObject(object), placeOf(spec, object), waivers.ofDto(spec, object.cls)),
      ),
      ...fields.flatMap((field) =>
        keep(
          faultsOfField(field),
          placeOf(spec, field, field.name),
          waivers.ofDto(spec, field.cls, field.name),
        ),
      ),
    ];
  });
  return [...findings, ...waivers.findings()];
}
