/**
 * DTOs that are written out as authors write them, so that each compiler decorates them in its own way.
 * Invariant: the spec beside a class says what is written on it.
 */
import { Type } from 'class-transformer';
import {
  Equals,
  IsDate,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { formNamed } from './forms/all';
import { formsOf } from './forms/form';
import type { DtoSpec, Made, PropertySpec } from './spec';

enum Level {
  A,
  B,
  C,
}

/** A written class, and what is written on it. */
export interface Declared {
  readonly spec: DtoSpec;
  readonly made: Made;
}

function written(...names: readonly string[]): PropertySpec {
  return { uses: names.map((name) => ({ form: formNamed(name), each: false })) };
}

function only(name: string): PropertySpec {
  const forms = formsOf('text', [[`Equals("${name}")`, (o) => Equals(name, o), [name], ['', 'A']]]);
  return { uses: forms.map((form) => ({ form, each: false })) };
}

function dto(properties: DtoSpec['properties']): DtoSpec {
  return { properties, inherited: 0 };
}

function order(): Declared {
  class Line {
    @IsInt() @Min(1) quantity!: number;
    @IsString() @Length(3, 5) sku!: string;
  }
  class Record {
    @IsUUID() id!: string;
  }
  class Order extends Record {
    @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
    @IsOptional() @IsString() note?: string | null;
    @IsDate() @Type(() => Date) at!: Date;
    @IsEnum(Level) level: Level = Level.A;
    @IsString({ each: true }) tags: string[] = ['new'];
  }
  const line = dto({ quantity: written('IsInt', 'Min(1)'), sku: written('IsString', 'Length(3,5)') });
  const spec = dto({
    id: written('IsUUID'),
    lines: { uses: [], holds: { kind: 'dto', dto: line, each: true } },
    note: { ...written('IsString'), optional: true },
    at: written('IsDate + @Type(()=>Date)'),
    level: { ...written('IsEnum(numeric enum)'), initial: Level.A },
    tags: { uses: [{ form: formNamed('IsString'), each: true }], initial: ['new'] },
  });
  return { spec, made: { cls: Order, all: [Line, Record, Order] } };
}

function drawing(): Declared {
  class Shape {}
  class Circle extends Shape {
    @Equals('circle') kind!: 'circle';
    @IsNumber() @Min(1) radius!: number;
  }
  class Square extends Shape {
    @Equals('square') kind!: 'square';
    @IsInt() side!: number;
  }
  class Drawing {
    @ValidateNested()
    @Type(() => Shape, {
      discriminator: {
        property: 'kind',
        subTypes: [
          { name: 'circle', value: Circle },
          { name: 'square', value: Square },
        ],
      },
      keepDiscriminatorProperty: true,
    })
    shape!: Circle | Square;
    @ValidateIf((one: Drawing) => one.title !== undefined) @IsString() @MaxLength(3) font!: string;
    @IsOptional() @IsString() title?: string | null;
  }
  const variants = {
    circle: dto({ kind: only('circle'), radius: written('IsNumber', 'Min(1)') }),
    square: dto({ kind: only('square'), side: written('IsInt') }),
  };
  const spec = dto({
    shape: { uses: [], holds: { kind: 'union', by: 'kind', variants, each: false } },
    font: { ...written('IsString', 'MaxLength(3)'), onlyBeside: 'title' },
    title: { ...written('IsString'), optional: true },
  });
  return { spec, made: { cls: Drawing, all: [Shape, Circle, Square, Drawing] } };
}

/** Declares each of the DTOs anew, once it is its turn. */
export const DECLARED: readonly (() => Declared)[] = [order, drawing];
