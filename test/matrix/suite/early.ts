/**
 * A DTO that is evaluated before anything loads reflect-metadata.
 * Invariant: this file imports class-validator alone, and every entry of the suite imports this file first.
 */
import { IsInt, IsString, Length, Max, Min } from 'class-validator';

export class EarlyInput {
  @IsString() @Length(1, 10) word!: string;
  @IsInt() @Min(1) @Max(9) times: number = 1;
}
