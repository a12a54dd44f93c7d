/**
 * class-validator's own constraints of the known rules, to hold recorded ones against.
 * Invariant: each is the one that the library's decorator records; its words do not depend on the arguments
 * that the decorator was given here.
 */
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsDefined,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNegative,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxDate,
  MaxLength,
  Min,
  MinDate,
  MinLength,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { findConstraint, recordedFor } from '../recorded-rules';

class Witness {}

const DECORATORS: readonly PropertyDecorator[] = [
  ArrayMaxSize(1),
  ArrayMinSize(1),
  ArrayNotEmpty(),
  ArrayUnique(),
  Equals(1),
  IsArray(),
  IsBoolean(),
  IsDate(),
  IsDateString(),
  IsDefined(),
  IsEmail(),
  IsEnum({ a: 1 }),
  IsIn([1]),
  IsInt(),
  IsISO8601(),
  IsNegative(),
  IsNotEmpty(),
  IsNumber(),
  IsObject(),
  IsPositive(),
  IsString(),
  IsUrl(),
  IsUUID(),
  Length(1, 2),
  Matches(/a/),
  Max(1),
  MaxDate(new Date(0)),
  MaxLength(1),
  Min(1),
  MinDate(new Date(0)),
  MinLength(1),
];

let originals: ReadonlyMap<string | undefined, ValidatorConstraintInterface> | undefined;

function readOriginals(): ReadonlyMap<string | undefined, ValidatorConstraintInterface> {
  for (const decorate of DECORATORS) decorate(Witness.prototype, 'value');
  return new Map(
    recordedFor(Witness).flatMap((rule) => {
      const constraint = findConstraint(rule);
      return constraint === undefined ? [] : [[rule.name, constraint.instance] as const];
    }),
  );
}

/** class-validator's own constraint of a name. */
export function originalOf(name: string): ValidatorConstraintInterface | undefined {
  originals ??= readOriginals();
  return originals.get(name);
}
