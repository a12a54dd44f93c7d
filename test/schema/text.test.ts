/**
 * `@JSONSchema`: the words for the model.
 * Invariant: annotations reach the schema unchanged, and no validation keyword does.
 */
import { Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { inputContract, outputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { dtoOf, dtoWith } from '../fixtures/dto-with';
import { expectSound, propertyNode, resolvePointer } from '../fixtures/strict-schema';

const TEXT = { title: 'N', description: 'a number', examples: [1, 2], deprecated: true };

@JSONSchema({ title: 'A part', description: 'of a whole', examples: [{ n: 1 }] })
class Part {
  @JSONSchema(TEXT) @IsInt() n!: number;
  @JSONSchema({ description: 'perhaps' }) @IsOptional() @IsInt() some?: number;
}

@JSONSchema({ description: 'the whole' })
class Whole {
  @JSONSchema({ description: 'one part' }) @ValidateNested() @Type(() => Part) part!: Part;
  @JSONSchema({ description: 'many parts' }) @ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
}

describe('@JSONSchema', () => {
  it('puts its annotations beside the rules, on properties and on classes', () => {
    const { schema } = inputContract(Whole);
    expectSound(schema);
    expect(schema.description).toBe('the whole');
    expect(propertyNode(schema, 'part')).toEqual({ $ref: '#/$defs/Part', description: 'one part' });
    expect(propertyNode(schema, 'parts')).toMatchObject({ type: 'array', description: 'many parts' });
    expect(resolvePointer(schema, '#/$defs/Part')).toMatchObject({
      title: 'A part',
      description: 'of a whole',
      examples: [{ n: 1 }],
    });
    expect(resolvePointer(schema, '#/$defs/Part/properties/n')).toMatchObject({ type: 'integer', ...TEXT });
    expect(resolvePointer(schema, '#/$defs/Part/properties/some')).toMatchObject({ description: 'perhaps' });
  });

  it('reaches output schemas too', () => {
    const { schema } = outputContract({ kind: 'class', cls: Part });
    expect(schema).toMatchObject({ description: 'of a whole' });
  });

  it('keeps its description before the rules that stand in words', () => {
    const cls = dtoWith(JSONSchema({ description: 'Where to write.' }), IsEmail());
    const { schema, validatorOnlyRules } = inputContract(cls);
    const description = String(propertyNode(schema, 'v').description);
    expect(description.startsWith('Where to write.')).toBe(true);
    expect(description).toContain(validatorOnlyRules[0]?.text);
  });

  it('is copied: what its author changes later does not show', () => {
    const examples = ['a'];
    const cls = dtoWith(JSONSchema({ examples }), IsString());
    const { schema } = inputContract(cls);
    examples.push('b');
    expect(propertyNode(schema, 'v').examples).toEqual(['a']);
    expectSound(schema);
  });

  it.each([
    ['minimum', { minimum: 1 }],
    ['type', { type: 'string' as const }],
    ['additionalProperties', { additionalProperties: true }],
    ['pattern, beside a description', { description: 'd', pattern: '^a' }],
    ['default', { default: 3 }],
    ['a $ref', { $ref: '#/x' }],
  ])('with %s is refused, on a property and on a class', (_, given) => {
    const onProperty = dtoOf({ v: [JSONSchema(given), IsInt()] }, 'OnProperty');
    expect(problemsOf(() => inputContract(onProperty))).toMatchObject([
      { code: 'illegal_property', place: { class: 'OnProperty', member: 'v' } },
    ]);
    const onClass = dtoOf({ v: [IsInt()] }, 'OnClass');
    JSONSchema(given)(onClass);
    expect(problemsOf(() => inputContract(onClass))).toMatchObject([
      { code: 'illegal_property', place: { class: 'OnClass' } },
    ]);
  });

  it('of a function is refused', () => {
    const cls = dtoWith(
      JSONSchema((schema) => schema),
      IsInt(),
    );
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'illegal_property', place: { class: 'Made', member: 'v' } },
    ]);
  });
});
