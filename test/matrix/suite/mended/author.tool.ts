/**
 * A circular pair as discovery's mend says to write it: the property type is an alias.
 * Invariant: the class of the other file is named only inside functions, which run after both have loaded.
 */
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { Tool } from 'toolcrib';
import { Book } from './book.js';

type BookType = Book;

export class Author {
  @IsString() name!: string;
  @ValidateNested() @Type(() => Book) book!: BookType;
}

@Tool({ name: 'library.author', version: '1.0.0', description: 'Adds an author', input: Author })
export class AuthorTool {
  execute(input: Author): string {
    return input.name;
  }
}
