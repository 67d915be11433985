import type { Scope } from '../expansion/scope.ts'
import type { ShellWord } from '../expansion/words.ts'
import type { PartAssignment } from '../model/decomposition.ts'

/** A simple command before it becomes a part. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[]
  readonly assignments: readonly PartAssignment[]
}

/** What a command would itself run. */
export type Inner =
  | {
      readonly kind: 'words'
      readonly label: string
      readonly words: readonly ShellWord[]
      readonly assignments?: SimpleCommand['assignments']
      /** It runs in a folder, host or container we know nothing of. */
      readonly elsewhere?: boolean
      /** The folder it runs in, when that is said. */
      readonly folder?: string
      /** A builtin such as `command`: the shell's own state may still change. */
      readonly sameShell?: boolean
    }
  | {
      readonly kind: 'code'
      readonly label: string
      readonly text: string
      /** False when parts of the code are not known. */
      readonly known: boolean
      /** `$0`, `$1`, … of the code. */
      readonly positional?: Scope['positional']
      readonly elsewhere?: boolean
      readonly folder?: string
      readonly sameShell?: boolean
    }
  | { readonly kind: 'unknown'; readonly message: string }

/** Words joined to one text of code, as `eval` and `ssh` do. */
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

/** Words in which a placeholder is filled in later are not known. */
export function withPlaceholder(words: readonly ShellWord[], placeholder: string): ShellWord[] {
  return words.map((word) =>
    word.value?.includes(placeholder)
      ? { ...word, value: null, template: word.template.replaceAll(placeholder, '$_') }
      : word,
  )
}
