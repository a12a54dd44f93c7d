const swc = (syntax, ignoreDynamic = true) => ({
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax, decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'commonjs', ignoreDynamic },
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
  // jest loads an ES module from CommonJS once it is compiled: jose is one, and the exporters of OTLP import some.
  transformIgnorePatterns: ['/node_modules/(?!jose/|@opentelemetry/otlp-exporter-base/)'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc('typescript')],
    '/node_modules/jose/.+\\.js$': ['@swc/jest', swc('ecmascript')],
    '/node_modules/@opentelemetry/otlp-exporter-base/.+\\.js$': ['@swc/jest', swc('ecmascript', false)],
  },
};
