/**
 * Holds the source to the rules of its style that a linter does not know.
 * Invariant: each rule names the files that break it.
 */
import ts from 'typescript';
import { listFiles, parse, read, visit } from './source-files';

const MAX_LINES = 300;
const source = listFiles('src');
const everything = [...source, ...listFiles('test'), ...listFiles('samples'), ...listFiles('bench')];

/** The files that hold a node of some kind. */
function filesWith(files: readonly string[], is: (node: ts.Node) => boolean): string[] {
  return files.filter((file) => {
    let found = false;
    visit(parse(file), (node) => {
      found ||= is(node);
    });
    return found;
  });
}

describe('the style of the source', () => {
  it('has no any', () => {
    expect(filesWith(source, (node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([]);
  });

  it('has no export *', () => {
    const isStar = (node: ts.Node) => ts.isExportDeclaration(node) && node.exportClause === undefined;
    expect(filesWith(source, isStar)).toEqual([]);
  });

  it('touches Reflect in metadata alone', () => {
    const files = filesWith(source, (node) => ts.isIdentifier(node) && node.text === 'Reflect');
    expect(files.filter((file) => !file.startsWith('src/metadata/'))).toEqual([]);
    expect(files).not.toEqual([]);
  });

  it(`has no file of over ${MAX_LINES} lines`, () => {
    expect(everything.filter((file) => read(file).split('\n').length - 1 > MAX_LINES)).toEqual([]);
  });

  it('opens every file with what it is for', () => {
    const opening = /^(?:#![^\n]*\n)?\/\*\*\n(?: \*[^\n]*\n){2,6} \*\//;
    // Tests of samples are those of users, who have their own ways.
    const ours = everything.filter((file) => !file.startsWith('test/samples/'));
    expect(ours.filter((file) => !opening.test(read(file)))).toEqual([]);
  });

  it('documents every exported declaration', () => {
    const undocumented = source.flatMap((file) =>
      parse(file)
        .statements.filter((node) => ts.canHaveModifiers(node) && isExported(node) && !isDocumented(node))
        .map((node) => `${file}: ${node.getText().split('\n')[0]}`),
    );
    expect(undocumented).toEqual([]);
  });
});

function isExported(node: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
}

function isDocumented(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}
