/**
 * What `@Waive` silences, and what is found about waivers themselves.
 * Invariant: nothing is silenced without a reason, and no waiver outlives what it silenced.
 */
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, Max, Min, MinLength, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { type Class, discoverTools, Owner, Scopes, SideEffect, Tool, Waive } from 'toolcrib';
import { findFindings } from '../../../src/cli/check/find';
import { makeSpec } from '../../fixtures/hand-made-spec';

const described = JSONSchema({ description: 'A field' });

async function findIn(...classes: Class[]): Promise<readonly string[]> {
  const findings = findFindings(await discoverTools({ classes }));
  return findings.map(({ code, place }) => [code, place.class, place.member].filter(Boolean).join(' '));
}

/** A class tool that takes a DTO and has no fault of its own. */
function toolOf(input: Class, ...decorators: readonly ClassDecorator[]): Class {
  @Tool({ name: 'notes.add', version: '1.0.0', owner: 'Crib', description: 'Add a note', input })
  @Scopes()
  @SideEffect('write')
  class NoteTool {
    execute(_: object): void {}
  }
  for (const decorator of decorators) decorator(NoteTool);
  return NoteTool;
}

class Note {
  @described
  @IsString()
  @MinLength(1)
  text!: string;

  @described
  @IsInt()
  @Min(1)
  level!: number;
}

class WaivedField {
  @described
  @Waive({ unbounded_string: 'It is stored as it is.' })
  @IsString()
  @MinLength(1)
  text!: string;

  @described
  @IsInt()
  @Min(1)
  level!: number;
}

@Waive({ unbounded_string: 'They are stored as they are.', unbounded_number: 'It has no limit.' })
class WaivedClass {
  @described
  @IsString()
  @MinLength(1)
  text!: string;

  @described
  @IsInt()
  @Min(1)
  level!: number;
}

class Heir extends WaivedClass {
  @described
  @IsString()
  @MinLength(1)
  more!: string;
}

class FieldHeir extends WaivedField {}

class Square {
  @described @IsIn(['square']) shape!: string;
  @described @IsInt() @Min(1) side!: number;
}
@Waive({ unbounded_number: 'It has no limit.' })
class Circle {
  @described @IsIn(['circle']) shape!: string;
  @described @IsInt() @Min(1) count!: number;
}
class Drawing {
  @described
  @ValidateNested()
  @Type(() => Object, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'shape',
      subTypes: [
        { name: 'square', value: Square },
        { name: 'circle', value: Circle },
      ],
    },
  })
  shape!: Square | Circle;
}

describe('a waiver', () => {
  it('on a DTO of a union silences its code there alone', async () => {
    expect(await findIn(toolOf(Drawing))).toEqual(['unbounded_number Square side']);
  });

  it('on a field silences its code there alone', async () => {
    expect(await findIn(toolOf(Note))).toEqual(['unbounded_string Note text', 'unbounded_number Note level']);
    expect(await findIn(toolOf(WaivedField))).toEqual(['unbounded_number WaivedField level']);
  });

  it('on a DTO silences its codes in all its fields', async () => {
    expect(await findIn(toolOf(WaivedClass))).toEqual([]);
  });

  it('on a DTO holds for the fields that a subclass inherits, not for those that it adds', async () => {
    expect(await findIn(toolOf(Heir))).toEqual(['unbounded_string Heir more']);
    expect(await findIn(toolOf(FieldHeir))).toEqual(['unbounded_number FieldHeir level']);
  });

  it('on a tool silences its codes in the whole tool', async () => {
    const waive = Waive({ unbounded_string: 'One.', unbounded_number: 'Two.' });
    expect(await findIn(toolOf(Note, waive))).toEqual([]);
  });

  it('on a service silences its codes in all its tools, and on a method in that tool alone', async () => {
    @Scopes()
    @SideEffect('none')
    @Waive({ unbounded_output: 'It is short.' })
    class Service {
      @Tool({ name: 'notes.first', version: '1.0.0', description: 'The first note', output: String })
      @Waive({ missing_owner: 'Everybody answers for it.' })
      first(): string {
        return '';
      }

      @Tool({ name: 'notes.last', version: '1.0.0', description: 'The last note', output: String })
      last(): string {
        return '';
      }
    }
    expect(await findIn(Service)).toEqual(['missing_owner Service last']);
  });

  it('that silences something in one of two tools is used', async () => {
    @Owner('Crib')
    @Scopes()
    @SideEffect('none')
    class Service {
      @Tool({ name: 'notes.text', version: '1.0.0', description: 'Change the text', input: WaivedClass })
      text(_: WaivedClass): void {}

      @Tool({ name: 'notes.level', version: '1.0.0', description: 'Change the level', input: WaivedClass })
      @Waive({ unbounded_string: 'Here too.' })
      level(_: WaivedClass): void {}
    }
    expect(await findIn(Service)).toEqual(['unused_waiver Service level']);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['of a code that is not found', { missing_owner: 'None.' }, ['unused_waiver']],
    ['of a code that there is not', { no_such_code: 'None.' }, ['bad_waiver']],
    ['of a code about waivers', { unused_waiver: 'None.' }, ['bad_waiver']],
    ['of a name that Object.prototype has', { constructor: 'None.' }, ['bad_waiver']],
    ['without a reason', { unbounded_number: '' }, ['unbounded_number', 'bad_waiver']],
    ['with a blank reason', { unbounded_number: ' \n' }, ['unbounded_number', 'bad_waiver']],
    ['with a reason that is no text', Object({ unbounded_number: true }), ['unbounded_number', 'bad_waiver']],
    ['without any code', {}, ['unbounded_number', 'bad_waiver']],
    ['that is no object', Object(undefined), ['unbounded_number', 'bad_waiver']],
  ])('%s is found', async (_, reasons, codes) => {
    class Input {
      @described
      @IsInt()
      @Min(1)
      level!: number;
    }
    const silence = Waive({ unbounded_number: 'It has no limit.' });
    const isAside = !codes.includes('unbounded_number');
    if (isAside) silence(Input.prototype, 'level');
    const found = await findIn(toolOf(Input, Waive(reasons)));
    expect(found.map((one) => one.split(' ')[0])).toEqual(codes);
  });

  it('that is applied twice is found, and the first one read holds', async () => {
    class Input {
      @described
      @Waive({ unbounded_string: 'Lost.' })
      @Waive({ unbounded_number: 'Kept, as it is nearer.' })
      @IsInt()
      @Min(1)
      level!: number;
    }
    expect(await findIn(toolOf(Input))).toEqual(['bad_waiver Input level']);
  });

  it('is found unused when what it silenced is mended', async () => {
    class Input {
      @described
      @Waive({ unbounded_number: 'It has no limit.' })
      @IsInt()
      @Min(1)
      @Max(5)
      level!: number;
    }
    expect(await findIn(toolOf(Input))).toEqual(['unused_waiver Input level']);
  });

  it('cannot sit on a tool that no class declares', () => {
    expect(findFindings([makeSpec('a.b')]).map(({ code }) => code)).toEqual(['missing_owner']);
  });
});
