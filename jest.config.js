const swc = (syntax) => ({
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax, decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'commonjs', ignoreDynamic: true },
});

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
    '^toolcrib/langgraph$': '<rootDir>/src/langgraph/index.ts',
    '^toolcrib/mcp$': '<rootDir>/src/mcp/index.ts',
    '^toolcrib/stores/(postgres|sqlite)$': '<rootDir>/src/stores/$1/index.ts',
    '^toolcrib/telemetry$': '<rootDir>/src/telemetry/index.ts',
    '^toolcrib/telemetry/prometheus$': '<rootDir>/src/telemetry/prometheus/index.ts',
    '^toolcrib/testing$': '<rootDir>/src/testing/index.ts',
  },
  // jose is an ES module, which jest loads from CommonJS once it is compiled.
  transformIgnorePatterns: ['/node_modules/(?!jose/)'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc('typescript')],
    '/node_modules/jose/.+\\.js$': ['@swc/jest', swc('ecmascript')],
  },
};
