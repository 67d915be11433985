import { INTENT } from './intent/domain.ts'
import type { Domain } from './knowledge-file.ts'

/** Every folder of `packages/core/knowledge`. */
export const DOMAINS: readonly Domain[] = [INTENT]
