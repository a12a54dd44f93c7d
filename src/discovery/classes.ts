/**
 * Collects the classes that sources name, each once.
 * Invariant: a class reached twice is kept once; a class named outright must be a tool or a service, one that
 * merely stands in a module need not be.
 */
import type { Class } from '../contract/class';
import type { DeclarationProblem } from '../errors/declaration-error';
import { reasonOf } from '../errors/reason';
import { memberOf } from '../metadata/members';
import { toolFact } from '../metadata/tool-facts';
import { findFiles, importFile } from './files';
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

function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
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

function notATool(cls: Class, what: string): DeclarationProblem {
  return {
    code: 'not_a_tool',
    place: { class: cls.name },
    message: `${what} has neither @Tool of its own nor methods with @Tool; a subclass does not inherit them`,
    mend: 'Add @Tool to the class or to its methods, or leave it out.',
  };
}

/** Gathers classes into one list, each once. */
export class ClassCollector {
  readonly problems: DeclarationProblem[] = [];
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

  /** Adds the tools of a module, which `load` gives. */
  async addModule(load: () => unknown, file: string | undefined): Promise<void> {
    try {
      const module = await load();
      for (const value of exportsOf(module))
        if (isClass(value) && declaresTools(value)) this.add(value, file);
    } catch (error) {
      this.problems.push({
        code: 'load_failed',
        place: file === undefined ? {} : { file },
        message: `loading the module failed: ${reasonOf(error)}`,
        mend: 'Make it load on its own; where two files import each other, type the property by an interface.',
      });
    }
  }

  private add(cls: Class, file: string | undefined): void {
    if (!this.found.has(cls)) this.found.set(cls, { cls, instance: undefined, file });
  }
}

/** Collects the classes of all sources. */
export async function collectClasses(options: DiscoverOptions): Promise<ClassCollector> {
  const collector = new ClassCollector();
  collector.addInstances(options.instances ?? []);
  collector.addClasses(options.classes ?? []);
  for (const module of options.modules ?? []) await collector.addModule(() => module, undefined);
  const { files, problems } = await findFiles(options.patterns ?? [], options.cwd ?? process.cwd());
  collector.problems.push(...problems);
  const load = options.load ?? importFile;
  for (const file of files) await collector.addModule(() => load(file), file);
  return collector;
}
