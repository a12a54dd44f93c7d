/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  // Left alone, jest leaves one processor idle, which of two is half.
  maxWorkers: '100%',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/fixtures/'],
  setupFiles: ['reflect-metadata'],
  moduleNameMapper: {
    '^toolcrib$': '<rootDir>/src/index.ts',
    '^toolcrib/audit$': '<rootDir>/src/audit/index.ts',
    '^toolcrib/langgraph$': '<rootDir>/src/langgraph/index.ts',
    '^toolcrib/stores/(postgres|sqlite)$': '<rootDir>/src/stores/$1/index.ts',
    '^toolcrib/testing$': '<rootDir>/src/testing/index.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'commonjs', ignoreDynamic: true },
      },
    ],
  },
};
