/**
 * The DTOs of a package that brings a library of its own: each needs another one.
 * Invariant: the matrix installs this file as several packages, which differ in nothing but what they bring.
 */
import { Type } from 'class-transformer';
import { Length, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** Needs class-validator. */
export class PlainInput {
  @Length(1, 5) word!: string;
}

/** Needs class-transformer as well. */
export class NestedInput {
  @ValidateNested() @Type(() => PlainInput) plain!: PlainInput;
}

/** Needs class-validator-jsonschema as well. */
export class DescribedInput {
  @JSONSchema({ description: 'One word' }) @Length(1, 5) word!: string;
}
