/**
 * The other half of a mended circular pair.
 * Invariant: the class of the other file is named only inside functions.
 */
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { Author } from './author.tool.js';

type AuthorType = Author;

export class Book {
  @IsString() title!: string;
  @IsOptional() @ValidateNested() @Type(() => Author) author?: AuthorType;
}
