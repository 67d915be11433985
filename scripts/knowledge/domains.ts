import type { Domain } from './knowledge-file.ts'
import { PROGRAMS } from './programs.ts'

/** Every folder of `packages/core/knowledge`. */
export const DOMAINS: readonly Domain[] = [PROGRAMS]
