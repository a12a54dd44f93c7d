/**
 * The only room that touches `Reflect`.
 * Invariant: a fact sits under one `Symbol.for` key on the very class (or method) that was decorated, is
 * written once and frozen; a second write is kept apart as a repetition, and nothing is ever inherited here.
 */
import 'reflect-metadata';
import type { Class } from '../contract/class';

/** A decorated thing: a class, or a prototype together with a method's name. */
export interface FactTarget {
  readonly holder: object;
  readonly member?: string | symbol;
}

interface StoredFact {
  readonly value: unknown;
  readonly repeated: boolean;
}

function read(key: symbol, { holder, member }: FactTarget): StoredFact | undefined {
  return member === undefined
    ? Reflect.getOwnMetadata(key, holder)
    : Reflect.getOwnMetadata(key, holder, member);
}

/** One kind of fact that a decorator writes, with the type of its value. */
export class Fact<T> {
  private readonly key: symbol;

  constructor(readonly name: string) {
    this.key = Symbol.for(`toolcrib:${name}`);
  }

  /** Writes the fact; on a repetition the first value stays and the repetition is remembered. */
  write(target: FactTarget, value: T): void {
    const before = read(this.key, target);
    const stored: StoredFact = Object.freeze(
      before === undefined ? { value, repeated: false } : { value: before.value, repeated: true },
    );
    if (target.member === undefined) Reflect.defineMetadata(this.key, stored, target.holder);
    else Reflect.defineMetadata(this.key, stored, target.holder, target.member);
  }

  /** Reads the fact of this very target. */
  read(target: FactTarget): T | undefined {
    return read(this.key, target)?.value as T | undefined;
  }

  /**
   * Reads the fact of the nearest class that has one, from a class up through its ancestors. Where a member is
   * given, each class's own member goes before the class.
   */
  readNearest(cls: Class, member?: string | symbol): T | undefined {
    for (let at: object | null = cls; at !== null; at = Object.getPrototypeOf(at)) {
      const prototype: unknown = 'prototype' in at ? at.prototype : undefined;
      const isMember = member !== undefined && typeof prototype === 'object' && prototype !== null;
      const value =
        (isMember ? this.read({ holder: prototype, member }) : undefined) ?? this.read({ holder: at });
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Tells whether the decorator was applied more than once to this very target. */
  isRepeated(target: FactTarget): boolean {
    return read(this.key, target)?.repeated === true;
  }
}

/** Reads the parameter types that the compiler emitted for a method; undefined when it emitted none. */
export function readParameterTypes(
  prototype: object,
  member: string | symbol,
): readonly unknown[] | undefined {
  const types: unknown = Reflect.getOwnMetadata('design:paramtypes', prototype, member);
  return Array.isArray(types) ? types : undefined;
}

/** Reads the type that the compiler emitted for a property, inherited or own; undefined when it emitted none. */
export function readPropertyType(prototype: object, member: string): unknown {
  return Reflect.getMetadata('design:type', prototype, member);
}
