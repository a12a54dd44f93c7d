/**
 * When a schema and an exported file are what they should be.
 * Invariant: a file passes only when it says exactly what the tool says now.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IsInt, IsString, Length, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { type Class, inputContract, type JsonSchema, outputContract, type ToolSpec } from 'toolcrib';
import { toDocument } from '../../src/schema/document';
import { assertConforms, assertCurrent, assertSchema } from '../../src/testing/conformance';
import { makeSpec } from '../fixtures/hand-made-spec';

@JSONSchema({ description: 'What to note' })
class Note {
  @IsString()
  @Length(1, 5)
  text!: string;
}

@JSONSchema({ description: 'What to write down' })
class OtherWords extends Note {}

class LongNote {
  @IsString()
  @Length(1, 6)
  text!: string;
}

class Receipt {
  @IsInt()
  @Min(1)
  @Max(9)
  number!: number;
}

function specOf(input: Class, output?: Class, overrides: Partial<ToolSpec> = {}): ToolSpec {
  const root = output === undefined ? undefined : { kind: 'class' as const, cls: output };
  return makeSpec('notes.add', '1.0.0', {
    input: inputContract(input),
    output: outputContract(root),
    ...overrides,
  });
}

describe('a schema', () => {
  it.each<[string, JsonSchema, boolean]>([
    ['of a DTO', specOf(Note).input.schema, true],
    ['with a type that there is not', { type: 'text' }, false],
    ['that refers to another', { $ref: 'https://example.com/other' }, false],
    ['that refers to nothing', { $ref: '#/$defs/Lost' }, false],
  ])('%s passes: %s', (_, schema, isSound) => {
    const check = () => assertSchema(schema, 'input schema');
    if (isSound) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'ERR_ASSERTION' }));
  });

  it('passes values that satisfy it and no others', () => {
    const { schema } = specOf(Note).input;
    expect(() => assertConforms(schema, { text: 'a' }, 'input')).not.toThrow();
    expect(() => assertConforms(schema, { text: 'abcdef' }, 'input')).toThrow(/the input breaks its schema/);
  });
});

describe('an exported schema', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolcrib-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileOf(text: string): string {
    const file = join(folder, 'notes.add@1.0.0.json');
    writeFileSync(file, text);
    return file;
  }

  function exported(spec: ToolSpec): string {
    return JSON.stringify(toDocument(spec), null, 2);
  }

  it.each([
    ['with an output', specOf(Note, Receipt)],
    ['without an output', specOf(Note)],
    ['of one class for both', specOf(Note, Note)],
    ['that is deprecated', specOf(Note, Receipt, { deprecated: 'Use notes.write.' })],
  ])('of a tool %s is current', (_, spec) => {
    expect(() => assertCurrent(spec, fileOf(exported(spec)))).not.toThrow();
  });

  it('is current whatever the order of its keys', () => {
    const spec = specOf(Note, Receipt);
    const turned = Object.fromEntries(Object.entries(toDocument(spec)).reverse());
    expect(() => assertCurrent(spec, fileOf(JSON.stringify(turned)))).not.toThrow();
  });

  it.each([
    ['its input has changed', specOf(LongNote, Receipt)],
    ['its output has changed', specOf(Note, LongNote)],
    ['its output is gone', specOf(Note)],
    ['its description has changed', specOf(Note, Receipt, { description: 'Another' })],
    ['its description was shortened', specOf(Note, Receipt, { description: 'The tool' })],
    ['the words of its input have changed', specOf(OtherWords, Receipt)],
    ['its version has changed', specOf(Note, Receipt, { key: 'notes.add@1.0.1' })],
    ['it was deprecated', specOf(Note, Receipt, { deprecated: true })],
  ])('is not current once %s', (_, now) => {
    const file = fileOf(exported(specOf(Note, Receipt)));
    expect(() => assertCurrent(now, file)).toThrow(/is not current/);
  });

  it('of a tool that had no output is not current once it has one', () => {
    const file = fileOf(exported(specOf(Note)));
    expect(() => assertCurrent(specOf(Note, Receipt), file)).toThrow(/is not current/);
  });

  it.each(['', '{', '[]', 'null'])('is not %j', (text) => {
    expect(() => assertCurrent(specOf(Note), fileOf(text))).toThrow(
      expect.objectContaining({ code: 'ERR_ASSERTION' }),
    );
  });

  it('is not a file that there is not', () => {
    expect(() => assertCurrent(specOf(Note), join(folder, 'lost.json'))).toThrow(/cannot be read/);
  });
});
