/**
 * Makes many decorated classes, and measures what the contract of one costs.
 * Invariant: every class is as large as any other, whatever their number.
 */
import { IsBoolean, IsInt, IsNumber, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { inputContract } from 'toolcrib';

const WARM_UP = 3_000;

/** Decorates a number of classes that nobody uses. */
export function makeCrowd(size: number): readonly (new () => object)[] {
  return Array.from({ length: size }, () => {
    class Member {
      @IsString() @MaxLength(80) name!: string;
      @IsInt() @Min(0) count!: number;
      @IsNumber() price!: number;
      @IsOptional() @IsBoolean() flag?: boolean;
    }
    return Member;
  });
}

/** CPU microseconds that the contract of one class takes, of so many. */
export function emissionCost(size: number): number {
  // What is measured is the growth, and not how the first thousands are compiled.
  for (const cls of makeCrowd(WARM_UP)) inputContract(cls);
  const crowd = makeCrowd(size);
  const before = process.cpuUsage();
  for (const cls of crowd) inputContract(cls);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / size;
}
