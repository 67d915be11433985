import type { Layer } from '../model/rule.ts'

/** A policy file to load: a person's, a project's, an organisation's, or one of our own. */
export interface PolicySource {
  readonly layer: Layer
  readonly name: string
  readonly text: string
}
