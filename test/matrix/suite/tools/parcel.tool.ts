/**
 * A tool that a pattern finds, with a nested DTO.
 * Invariant: class-transformer alone knows the class of what is nested.
 */
import { Type } from 'class-transformer';
import { IsInt, Max, Min, ValidateNested } from 'class-validator';
import { Scopes, SideEffect, Tool } from 'toolcrib';

export class Weight {
  @IsInt() @Min(1) @Max(50_000) grams!: number;
}

export class ParcelInput {
  @ValidateNested() @Type(() => Weight) weight!: Weight;
}

@Tool({ name: 'parcel.weigh', version: '1.0.0', description: 'Weigh a parcel', input: ParcelInput })
@Scopes()
@SideEffect('none')
export class ParcelTool {
  execute(input: ParcelInput): boolean {
    return input.weight instanceof Weight;
  }
}
