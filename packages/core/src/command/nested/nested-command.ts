import type { Scope } from '../expansion/scope.ts'
import type { ShellWord } from '../expansion/words.ts'
import type { PartAssignment } from '../model/decomposition.ts'

/** A simple command before it becomes a part. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[]
  readonly assignments: readonly PartAssignment[]
}

/** A command that another command runs. */
export type Inner =
  | {
      readonly kind: 'words'
      readonly label: string
      readonly words: readonly ShellWord[]
      readonly assignments?: SimpleCommand['assignments']
      /** It runs in an unknown folder, host or container. */
      readonly elsewhere?: boolean
      /** Its folder, when an option names it. */
      readonly folder?: string
      /** A builtin such as `command`: the state of the shell may still change. */
      readonly sameShell?: boolean
    }
  | {
      readonly kind: 'code'
      readonly label: string
      readonly text: string
      /** False when parts of the code are unknown. */
      readonly known: boolean
      /** `$0`, `$1`, … of the code. */
      readonly positional?: Scope['positional']
      readonly elsewhere?: boolean
      readonly folder?: string
      readonly sameShell?: boolean
    }
  | { readonly kind: 'unknown'; readonly message: string }

/** Words joined into code, as `eval` and `ssh` do. */
export function joinedCode(
  label: string,
  words: readonly ShellWord[],
  more: { readonly elsewhere?: boolean; readonly sameShell?: boolean } = {},
): Inner {
  return {
    kind: 'code',
    label,
    text: words.map((word) => word.template).join(' '),
    known: words.every((word) => word.value !== null),
    ...more,
  }
}

/** Words with a placeholder are unknown. */
export function withPlaceholder(words: readonly ShellWord[], placeholder: string): ShellWord[] {
  return words.map((word) =>
    word.value?.includes(placeholder)
      ? { ...word, value: null, template: word.template.replaceAll(placeholder, '$_') }
      : word,
  )
}
