import type { CodeEffect } from '../find-effects.ts'
import type { Script } from './javascript-names.ts'
import { UnclearCode } from './javascript-tokens.ts'
import type { CodeSetting } from './understanding.ts'

/** What is known of a script while it is read. */
export class ScriptState {
  readonly effects: CodeEffect[] = []
  readonly loads = new Set<string>()
  protected readonly script: Script
  protected readonly setting: CodeSetting
  protected readonly aliases = new Map<string, string>()
  /** Those that can't be assigned. */
  protected readonly constants = new Map<string, string>()
  /** Modules that are variables without being loaded. */
  protected readonly implicit = new Set<string>()
  /** Tokens that were read as part of another one. */
  protected readonly done = new Set<number>()

  constructor(script: Script, setting: CodeSetting) {
    this.script = script
    this.setting = setting
  }

  protected bind(name: string, module: string, isConstant: boolean): void {
    this.implicit.delete(name)
    this.aliases.set(name, module)
    if (isConstant) this.constants.set(name, module)
    else this.constants.delete(name)
  }

  protected fail(at: number, what?: string): never {
    const token = this.script.tokens[at]
    const shown = what ?? (/^[\w$.:/-]{1,60}$/.test(token?.text ?? '') ? token?.text : 'code')
    throw new UnclearCode(`uses \`${shown}\` on line ${token?.line ?? 1}, which is not known to be harmless`)
  }

  protected is(at: number, text: string, kind = 'sign'): boolean {
    const token = this.script.tokens[at]
    return token?.kind === kind && token.text === text
  }
}
