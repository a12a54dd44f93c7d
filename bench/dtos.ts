/**
 * The DTOs of the shapes that are measured.
 * Invariant: they are such as an application would write, and hold nothing for the measurement's sake.
 */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';

/** What a profile's plan may be. */
export const PLANS = ['free', 'pro', 'team'] as const;

/** One string. */
export class Note {
  @IsString() @MinLength(1) @MaxLength(200) text!: string;
}

/** A nested object. */
export class Place {
  @IsNumber() @Min(-90) @Max(90) lat!: number;
  @IsNumber() @Min(-180) @Max(180) lon!: number;
}

/** Twelve mixed fields. */
export class Profile {
  @IsString() @MinLength(1) @MaxLength(80) name!: string;
  @Matches(/^[A-Z]{2}-[0-9]{4}$/u) code!: string;
  @IsInt() @Min(0) @Max(150) age!: number;
  @IsNumber() @Min(0) score!: number;
  @IsBoolean() active!: boolean;
  @IsIn(PLANS) plan!: string;
  @IsOptional() @IsString() @MaxLength(500) note?: string;
  @IsArray() @ArrayMaxSize(10) @IsString({ each: true }) tags!: string[];
  @ValidateNested() @Type(() => Place) place!: Place;
  @IsOptional() @IsInt() @Min(1) limit = 10;
  @IsString() @IsNotEmpty() city!: string;
  @IsOptional() @IsBoolean() newsletter?: boolean;
}

/** One line of an order. */
export class Line {
  @Matches(/^[a-z]{3}-[0-9]+$/u) sku!: string;
  @IsString() @MaxLength(80) title!: string;
  @IsInt() @Min(1) @Max(999) quantity!: number;
  @IsNumber() @Min(0) price!: number;
  @IsBoolean() gift!: boolean;
}

/** An order, of fifty lines when it is measured. */
export class Order {
  @IsString() @MinLength(1) id!: string;
  @IsString() @MinLength(1) customer!: string;
  @ArrayMinSize(1) @ArrayMaxSize(100) @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
}

/** The custom rule of a contact. */
export function isCheckDigit(value: unknown): boolean {
  return typeof value === 'number' && value % 7 === 0;
}

/** Fields whose rules run after the gate. */
export class Contact {
  @IsEmail() mail!: string;
  @IsUrl() site!: string;
  @IsUUID() id!: string;
  @ValidateBy({ name: 'isCheckDigit', validator: { validate: isCheckDigit } }) digits!: number;
}
