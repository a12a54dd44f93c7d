/**
 * What the framework itself says, of tools and fields whose names sound like secrets.
 * Invariant: names, pointers, scopes and versions come out whole, so that a model can act on them.
 */
import { IsInt, Length, Matches, MinLength } from 'class-validator';
import { createToolkit, inputContract, Scopes, SideEffect, type Toolkit } from 'toolcrib';
import { recordingLogger } from '../../fixtures/recorded-toolkit';
import { declareMethod } from '../../fixtures/untyped-declarations';
import { violationsIn } from '../../fixtures/verdicts';

class LoginInput {
  @MinLength(8, { message: '8 to 20 characters' }) password!: string;
  @Length(6, 6) otp!: string;
  @IsInt({ message: 'Ganzzahl erwartet, password: so nicht' }) token!: number;
  @Matches(/^K-/) apiKey!: string;
}

async function toolkitOf(...scopes: readonly string[]): Promise<Toolkit> {
  class Login {
    run(): null {
      return null;
    }
  }
  Scopes(...scopes)(Login);
  SideEffect('none')(Login);
  const tool = { name: 'auth.token', version: '2.0.0-rc.one', description: 'Logs in.', input: LoginInput };
  declareMethod(tool, Login, 'run');
  return createToolkit({ discover: { classes: [Login] }, logger: recordingLogger([]) });
}

const HELD = { id: 'ann', scopes: [] };

it('says which fields are wrong, and why', async () => {
  const args = { password: 'x', otp: 'x', token: 'x', apiKey: 'x', secret: 1 };
  const violations = violationsIn(await inputContract(LoginInput).parse(args));
  expect(violations).toHaveLength(5);
  const result = await (await toolkitOf()).invoke('auth.token@2.0.0-rc.one', args);
  expect(result).toMatchObject({ error: { code: 'invalid_input', detail: { violations } } });
  for (const { path, message } of violations) {
    expect(result).toMatchObject({ error: { message: expect.stringContaining(`${path}: ${message}`) } });
  }
});

it.each([
  'password:write',
  'tokens:read',
  'secret:rotate',
  'auth.token:exchange',
  'cookie:*',
  'api-key:admin',
])('says that the scope %s is missing', async (scope) => {
  const toolkit = await toolkitOf(scope);
  const result = await toolkit.invoke('auth.token@2.0.0-rc.one', {}, { principal: HELD });
  expect(result).toMatchObject({
    error: {
      message: expect.stringContaining(`auth.token requires ${scope}, which`),
      detail: { missing: [scope] },
    },
  });
});

it('says which versions there are', async () => {
  const toolkit = await toolkitOf();
  const result = await toolkit.invoke('auth.token@1.x', {});
  expect(result).toMatchObject({ error: { message: expect.stringContaining('2.0.0-rc.one') } });
  const none = await toolkit.invoke('auth.secret@1.0.0-beta.one', {});
  expect(none).toMatchObject({ error: { message: expect.stringContaining('auth.secret@1.0.0-beta.one') } });
});
