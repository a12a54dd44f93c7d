/**
 * Turns one class into specs: a class tool, or a service with tool methods.
 * Invariant: a class is one or the other; either all of its declarations are sound, or it yields problems.
 */
import type { Class } from '../contract/class';
import { toModelName, toToolKey } from '../contract/names';
import type { ToolHandler, ToolSpec } from '../contract/tool';
import type { DeclarationPlace, DeclarationProblem } from '../errors/declaration-error';
import { memberOf } from '../metadata/members';
import type { FactTarget } from '../metadata/own-facts';
import { ALL_FACTS, ownerFact, scopesFact, sideEffectFact, toolFact } from '../metadata/tool-facts';
import { type FoundClass, nameOf, ownMembersOf, staticToolsOf, toolMethodsOf } from './classes';
import { judgeInput, judgeOutput } from './judge-contracts';
import { Judge } from './judge-options';
import { makeInstance } from './make-instance';
import type { Container } from './options';

/** Specs, or the problems that kept them from being made. */
export interface JudgedClass {
  readonly specs: readonly ToolSpec[];
  readonly problems: readonly DeclarationProblem[];
  /** The instance that the specs run on. */
  readonly instance: object | undefined;
}

function handlerOf(instance: object, member: string | symbol): ToolHandler {
  return (input, context) => {
    const method = memberOf(instance, member);
    if (typeof method !== 'function') throw new TypeError(`${String(member)} is no longer a method`);
    return method.call(instance, input, context);
  };
}

function placeOf(
  { cls, file }: FoundClass,
  member: string | symbol | undefined,
  tool: unknown,
): DeclarationPlace {
  return {
    class: nameOf(cls),
    ...(member === undefined ? {} : { member: String(member) }),
    ...(typeof tool === 'string' ? { tool } : {}),
    ...(file === undefined ? {} : { file }),
  };
}

/** Judges one declaration: `member` is undefined for a class tool. */
function judgeDeclaration(
  found: FoundClass,
  member: string | symbol | undefined,
  instance: object | undefined,
  adopted: Set<DeclarationProblem>,
): { readonly spec: ToolSpec | undefined; readonly problems: readonly DeclarationProblem[] } {
  const { cls } = found;
  const target: FactTarget = member === undefined ? { holder: cls } : { holder: cls.prototype, member };
  const declared = toolFact.read(target) ?? {};
  const judge = new Judge(placeOf(found, member, declared.name), adopted);
  for (const fact of ALL_FACTS.filter((one) => one.isRepeated(target))) {
    judge.report('decorated_twice', `the ${fact.name} decorator is applied twice`, 'Keep one of them.');
  }
  const handlerName = member ?? 'execute';
  if (typeof memberOf(cls.prototype, handlerName) !== 'function') {
    judge.report('missing_handler', 'the class has no method execute', 'Write execute(input, context).');
  } else if (instance !== undefined && typeof memberOf(instance, handlerName) !== 'function') {
    const mend = 'Let the container make an instance of the class itself.';
    judge.report('no_instance', `the instance has no method ${String(handlerName)}`, mend);
  }
  judge.knownOptions(declared);
  const { name, version } = judge.identity(declared);
  const input = judgeInput(judge, declared, cls, member);
  const output = judgeOutput(judge, declared);
  const previewMember = judge.previewMember(declared, cls.prototype, member !== undefined);
  const owner = judge.optionalText(declared, 'owner') ?? defaultOwner(cls);
  const sideEffect = judge.sideEffect(sideEffectFact.read(target) ?? sideEffectFact.read({ holder: cls }));
  const spec: Omit<ToolSpec, 'input' | 'output' | 'handler'> = {
    name,
    version,
    key: toToolKey(name, version),
    modelName: toModelName(name),
    title: judge.optionalText(declared, 'title'),
    description: judge.description(declared),
    owner,
    scopes: judge.scopes(scopesFact.readNearest(cls, member)),
    sideEffect: Object.freeze(sideEffect),
    timeoutMs: judge.optionalBound(declared, 'timeoutMs'),
    maxResultBytes: judge.optionalBound(declared, 'maxResultBytes'),
    idempotencyKey: judge.idempotencyKey(declared),
    compensation: judge.compensation(declared, sideEffect),
    mapError: judge.mapError(declared),
    deprecated: judge.deprecated(declared),
    declaredBy: cls,
    source: Object.freeze({
      class: cls.name,
      member: String(handlerName),
      ...(found.file === undefined ? {} : { file: found.file }),
    }),
  };
  const isSound = judge.isSound && input !== undefined && output !== undefined;
  return {
    spec:
      isSound && instance !== undefined
        ? Object.freeze({
            ...spec,
            input,
            output,
            handler: handlerOf(instance, handlerName),
            ...(previewMember === undefined ? {} : { preview: handlerOf(instance, previewMember) }),
          })
        : undefined,
    problems: judge.problems,
  };
}

function isOwner(owner: unknown): owner is string {
  return typeof owner === 'string' && owner !== '';
}

function defaultOwner(cls: Class): string | undefined {
  const owner = ownerFact.read({ holder: cls });
  return isOwner(owner) ? owner : undefined;
}

/** What is wrong with a class as a whole. */
function judgeShape(found: FoundClass): readonly DeclarationProblem[] {
  const { cls } = found;
  const judge = new Judge(placeOf(found, undefined, undefined), new Set());
  const methods = toolMethodsOf(cls);
  if (toolFact.read({ holder: cls }) !== undefined && methods.length > 0) {
    judge.report(
      'tool_and_service',
      '@Tool sits on the class and on its methods',
      'Keep it on one of the two.',
    );
  }
  for (const member of staticToolsOf(cls)) {
    judge.report(
      'missing_handler',
      `@Tool sits on the static method ${String(member)}`,
      'Make it an instance method.',
    );
  }
  for (const member of ownMembersOf(cls.prototype)) {
    const target = { holder: cls.prototype, member };
    const isGuarded = scopesFact.read(target) !== undefined || sideEffectFact.read(target) !== undefined;
    if (isGuarded && !methods.includes(member)) {
      judge.report(
        'missing_tool',
        `the method ${String(member)} has @Scopes or @SideEffect and no @Tool`,
        'Add @Tool.',
      );
    }
  }
  const owner = ownerFact.read({ holder: cls });
  if (owner !== undefined && !isOwner(owner)) {
    judge.report('illegal_option', '@Owner was given no text', "Write @Owner('TheTeam').");
  }
  const isService = methods.length > 0;
  for (const fact of isService ? ALL_FACTS.filter((one) => one.isRepeated({ holder: cls })) : []) {
    judge.report('decorated_twice', `the ${fact.name} decorator is applied twice`, 'Keep one of them.');
  }
  return judge.problems;
}

/** Judges a class and makes its instance. `adopted` holds the problems of DTOs that were reported already. */
export async function judgeClass(
  found: FoundClass,
  container: Container | undefined,
  adopted: Set<DeclarationProblem>,
): Promise<JudgedClass> {
  const { cls } = found;
  const isTool = toolFact.read({ holder: cls }) !== undefined;
  const members = isTool ? [undefined] : toolMethodsOf(cls);
  const problems = [...judgeShape(found)];
  const made =
    found.instance === undefined ? await makeInstance(cls, container) : { instance: found.instance };
  const instance = 'instance' in made ? made.instance : undefined;
  if ('problem' in made) {
    problems.push({
      code: 'no_instance',
      place: placeOf(found, undefined, undefined),
      message: `there is no instance: ${made.problem}`,
      mend: 'Make its constructor work without arguments, pass an instance, or pass a container that makes it.',
    });
  }
  const judged = members.map((member) => judgeDeclaration(found, member, instance, adopted));
  problems.push(...judged.flatMap((one) => one.problems));
  return { specs: judged.flatMap(({ spec }) => spec ?? []), problems, instance };
}
