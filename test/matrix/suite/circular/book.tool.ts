/**
 * The other half of a circular pair.
 * Invariant: its property type is the class of the file that imports it.
 */
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { Tool } from 'toolcrib';
import { Author } from './author.tool.js';

export class Book {
  @IsString() title!: string;
  @IsOptional() @ValidateNested() @Type(() => Author) author?: Author;
}

@Tool({ name: 'library.book', version: '1.0.0', description: 'Adds a book', input: Book })
export class BookTool {
  execute(input: Book): string {
    return input.title;
  }
}
