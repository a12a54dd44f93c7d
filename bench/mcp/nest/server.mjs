/**
 * The server of NestJS that is measured beside, in a process of its own that its parent starts.
 * Invariant: it says what CPU time it has taken whenever it is asked, and ends with its parent.
 */
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { MCP_STRATEGY, McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';

// It is copied to build/nest, beside the compiled benchmarks.
const { SHAPES } = createRequire(import.meta.url)('../bench/shapes.js');
const [, shapeName = 'S'] = process.argv.slice(2);
const { zod } = SHAPES.find(({ name }) => name === shapeName);

class EchoController {
  async echo(input) {
    return { content: [{ type: 'text', text: JSON.stringify(input) }], structuredContent: input };
  }
}

// Decorators by hand, since this file is run as it stands.
const described = Object.getOwnPropertyDescriptor(EchoController.prototype, 'echo');
Reflect.defineMetadata('design:paramtypes', [Object], EchoController.prototype, 'echo');
Payload()(EchoController.prototype, 'echo', 0);
Tool({
  name: 'bench_echo_0',
  description: 'Answers with what it was called with',
  parameters: zod,
  outputSchema: zod,
})(EchoController.prototype, 'echo', described);
McpController()(EchoController);

const strategy = new McpStrategy({
  name: 'bench',
  version: '1.0.0',
  transports: [new StreamableHttpTransport()],
});
class Application {}
Module({ controllers: [EchoController], providers: [{ provide: MCP_STRATEGY, useValue: strategy }] })(
  Application,
);

process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
const application = await NestFactory.create(Application, { logger: false });
strategy.setHttpAdapter(application.getHttpAdapter());
application.connectMicroservice({ strategy });
await application.startAllMicroservices();
await application.listen(0, '127.0.0.1');
process.send?.({ port: application.getHttpServer().address().port });
