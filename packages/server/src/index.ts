/**
 * Countersign as a service, written by hand: a symbol is here because somebody outside needs it.
 * @module
 */

export { openApiDocument } from './deciding/app.ts'
export { CONTENT_SECURITY_POLICY } from './deciding/http/security-headers.ts'
export { type Service, startService } from './serve.ts'
export type { ServiceOptions } from './service-options.ts'
