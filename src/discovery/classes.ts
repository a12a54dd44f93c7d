/**
 * Collects the classes that sources name, each once.
 * Invariant: a class reached twice is kept once; a class named outright must be a tool or a service, one that
 * merely stands in a module need not be.
 */
import { type Class, isClass } from '../contract/class';
import type { DeclarationProblem } from '../errors/declaration-error';
import { reasonOf } from '../errors/reason';
import { memberOf } from '../metadata/members';
import { toolFact } from '../metadata/tool-facts';
import { importFile, matchPatterns, unmatchedPattern } from './files';
import type { DiscoverOptions } from './options';

/** A class that declares tools, with what is known of where it came from. */
export interface FoundClass {
  readonly cls: Class;
  readonly instance: object | undefined;
  readonly file: string | undefined;
}

/** Names of all members of an object itself. */
export function ownMembersOf(holder: object): readonly (string | symbol)[] {
  return [...Object.getOwnPropertyNames(holder), ...Object.getOwnPropertySymbols(holder)];
}

/** Names of the methods of a class itself that carry `@Tool`. */
export function toolMethodsOf(cls: Class): readonly (string | symbol)[] {
  const holder: object = cls.prototype;
  return ownMembersOf(holder).filter((member) => toolFact.read({ holder, member }) !== undefined);
}

/** Names of the static methods of a class itself that carry `@Tool`. */
export function staticToolsOf(cls: Class): readonly (string | symbol)[] {
  return ownMembersOf(cls).filter((member) => toolFact.read({ holder: cls, member }) !== undefined);
}

/** Tells whether a class itself, whatever it inherits, declares a tool. */
function declaresTools(cls: Class): boolean {
  return (
    toolFact.read({ holder: cls }) !== undefined ||
    toolMethodsOf(cls).length > 0 ||
    staticToolsOf(cls).length > 0
  );
}

/** The exported values of a module; those of a CommonJS module also stand under `default`, or are one class. */
function exportsOf(module: unknown): readonly unknown[] {
  if (typeof module === 'function') return [module];
  if (typeof module !== 'object' || module === null) return [];
  const values = Object.keys(module).map((name) => memberOf(module, name));
  const inner = 'default' in module ? module.default : undefined;
  return typeof inner === 'object' && inner !== null ? [...values, ...Object.values(inner)] : values;
}

/** The name of a class in messages. */
export function nameOf(cls: Class): string {
  return cls.name || 'an anonymous class';
}

function notATool(cls: Class, what: string): DeclarationProblem {
  return {
    code: 'not_a_tool',
    place: { class: nameOf(cls) },
    message: `${what} has neither @Tool of its own nor methods with @Tool; a subclass does not inherit them`,
    mend: 'Add @Tool to the class or to its methods, or leave it out.',
  };
}

/** Says what to do about a module that does not load, by what it threw. */
function mendOf(error: unknown): string {
  if (error instanceof ReferenceError || /before initialization/.test(reasonOf(error))) {
    return 'Two files import each other: move what both need to a file of its own, or type the property by an interface.';
  }
  return /cannot find (?:module|package)/i.test(reasonOf(error))
    ? 'Install or correct what the file imports.'
    : 'Make the file load on its own.';
}

function loadFailed(error: unknown, file: string | undefined): DeclarationProblem {
  return {
    code: 'load_failed',
    place: file === undefined ? {} : { file },
    message: `loading the module failed: ${reasonOf(error)}`,
    mend: mendOf(error),
    cause: error,
  };
}

/** Gathers classes into one list, each once. */
export class ClassCollector {
  readonly problems: DeclarationProblem[] = [];
  /** Patterns whose files, though they loaded, export no tool. */
  readonly toolless: string[] = [];
  private readonly found = new Map<Class, FoundClass>();

  get classes(): readonly FoundClass[] {
    return [...this.found.values()];
  }

  addInstances(instances: readonly object[]): void {
    for (const instance of instances) {
      const cls: unknown =
        typeof instance === 'object' && instance !== null ? instance.constructor : undefined;
      if (!isClass(cls) || !declaresTools(cls)) {
        this.problems.push(notATool(isClass(cls) ? cls : Object, 'the class of an instance'));
      } else if (this.found.has(cls) && this.found.get(cls)?.instance !== instance) {
        this.problems.push({
          code: 'duplicate_key',
          place: { class: cls.name },
          message: 'two instances of one class give every tool twice',
          mend: 'Pass one instance.',
        });
      } else {
        this.found.set(cls, { cls, instance, file: undefined });
      }
    }
  }

  addClasses(classes: readonly unknown[]): void {
    for (const cls of classes) {
      if (isClass(cls) && declaresTools(cls)) this.add(cls, undefined);
      else this.problems.push(notATool(isClass(cls) ? cls : Object, 'the class'));
    }
  }

  /** Adds the tools of a module, which `load` gives; tells whether there are any. */
  async addModule(load: () => unknown, file: string | undefined): Promise<boolean> {
    try {
      const classes = exportsOf(await load())
        .filter(isClass)
        .filter(declaresTools);
      for (const cls of classes) this.add(cls, file);
      return classes.length > 0;
    } catch (error) {
      this.problems.push(loadFailed(error, file));
      // What could not be loaded may well have tools.
      return true;
    }
  }

  private add(cls: Class, file: string | undefined): void {
    if (!this.found.has(cls)) this.found.set(cls, { cls, instance: undefined, file });
  }
}

async function addPatterns(collector: ClassCollector, options: DiscoverOptions): Promise<void> {
  const cwd = options.cwd ?? process.cwd();
  const load = options.load ?? importFile;
  const matched = await matchPatterns(options.patterns ?? [], cwd);
  if (matched.length === 0 && options.patterns?.[0] !== undefined) {
    collector.problems.push(await unmatchedPattern(options.patterns[0], cwd));
  }
  const hasTools = new Map<string, boolean>();
  for (const file of new Set(matched.flatMap(({ files }) => files).sort())) {
    hasTools.set(file, await collector.addModule(() => load(file), file));
  }
  for (const { pattern, files } of matched) {
    if (files.length === 0) collector.problems.push(await unmatchedPattern(pattern, cwd));
    else if (!files.some((file) => hasTools.get(file))) collector.toolless.push(pattern);
  }
}

/** Collects the classes of all sources. */
export async function collectClasses(options: DiscoverOptions): Promise<ClassCollector> {
  const collector = new ClassCollector();
  collector.addInstances(options.instances ?? []);
  collector.addClasses(options.classes ?? []);
  for (const module of options.modules ?? []) await collector.addModule(() => module, undefined);
  await addPatterns(collector, options);
  return collector;
}
