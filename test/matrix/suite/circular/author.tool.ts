/**
 * A DTO and a tool in a file that imports, for a property type, a file that imports this one back.
 * Invariant: under a compiler that keeps class bindings in their dead zone it cannot be loaded.
 */
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { Tool } from 'toolcrib';
import { Book } from './book.tool.js';

export class Author {
  @IsString() name!: string;
  @ValidateNested() @Type(() => Book) book!: Book;
}

@Tool({ name: 'library.author', version: '1.0.0', description: 'Adds an author', input: Author })
export class AuthorTool {
  execute(input: Author): string {
    return input.name;
  }
}
