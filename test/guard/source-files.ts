/**
 * The source tree as the compiler sees it, for the guards.
 * Invariant: every import counts, of types and at run time alike.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** The repository's root. */
export const ROOT = resolve(__dirname, '../..');

/** Lists the TypeScript files of a folder, relative to the root. */
export function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** Reads a file of the repository. */
export function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Parses a file of the repository. */
export function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
}

/** Visits every node of a file. */
export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  node.forEachChild((child) => visit(child, look));
}

function specifierOf(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
    return ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return ts.isStringLiteral(node.argument.literal) ? node.argument.literal.text : undefined;
  }
  const isCall =
    ts.isCallExpression(node) &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require');
  const argument = isCall ? node.arguments[0] : undefined;
  return argument !== undefined && ts.isStringLiteral(argument) ? argument.text : undefined;
}

/** Lists what a file imports: files of the repository by path, packages by name. */
export function importsOf(file: string): string[] {
  const found: string[] = [];
  visit(parse(file), (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return;
    found.push(
      specifier.startsWith('.') ? `${join(dirname(file), specifier)}.ts`.replaceAll('\\', '/') : specifier,
    );
  });
  return found.map((one) =>
    one.startsWith('src/') && one.endsWith('/.ts') ? one.replace('/.ts', '/index.ts') : one,
  );
}

/** The names that an entry exports, types included, in their order. */
export function namesOf(entry: string): string[] {
  const names = parse(entry).statements.flatMap((node) => {
    if (
      ts.isExportDeclaration(node) &&
      node.exportClause !== undefined &&
      ts.isNamedExports(node.exportClause)
    ) {
      return node.exportClause.elements.map((element) => element.name.text);
    }
    const isExported =
      ts.canHaveModifiers(node) &&
      (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    const name = 'name' in node ? (node as { name?: ts.Identifier }).name?.text : undefined;
    return isExported && name !== undefined ? [name] : [];
  });
  return names.sort();
}
