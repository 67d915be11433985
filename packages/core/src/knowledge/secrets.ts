import { SECRETS } from './compiled/secrets.ts'

/**
 * A token that is recognized by how it starts.
 * SECURITY: A25. The pattern is tried only at the start of a word. It ends with its repetition, or repeats what ends with
 * the word, or (`(?<!-)`) starts only where a run of words and hyphens does: no character is read more than a few times.
 */
export interface TokenRow {
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly starts: readonly string[]
  readonly pattern: string
  /** Several issuers use the start, so the rest must also look random. */
  readonly shared?: true
}

/** A token that is recognized by its whole shape. */
export interface ShapeRow {
  readonly file: string
  readonly line: number
  readonly kind: string
  /** The character after its first word. */
  readonly after: string
  /** The shortest and the longest first word. */
  readonly first_word: readonly [number, number]
  readonly pattern: string
  /** The rest must look random, and be at least this long. */
  readonly random?: number
}

/** Where the command line of a program has secrets; `command-passwords.yaml` explains each key. */
export interface SecretOptionsRow {
  readonly programs: readonly string[]
  readonly after?: readonly string[]
  readonly options?: readonly string[]
  readonly joined?: readonly string[]
  /** Letters whose value may follow other letters in one word. */
  readonly bundled?: readonly string[]
  /** Options with a name, a secret and a host. */
  readonly hosts?: readonly string[]
  /** How many plain words are secrets; absent: all that follow. */
  readonly most?: number
  readonly logins?: Readonly<Record<string, string>>
  readonly login_words?: string
  readonly pairs?: readonly string[]
  readonly definitions?: readonly string[]
  readonly operands?: number
  readonly pair_words?: true
  readonly named?: true
  readonly stdin?: true | readonly string[]
}

/** Everything in `knowledge/secrets`; the files explain each key. */
export interface SecretKnowledge {
  readonly tokens: readonly TokenRow[]
  readonly shapes: readonly ShapeRow[]
  readonly webhooks: readonly { readonly kind: string; readonly host: string; readonly pattern: string }[]
  readonly redaction: readonly { readonly kind: string; readonly starts: string; readonly pattern: string }[]
  readonly after_program: readonly {
    readonly programs: readonly string[]
    readonly pattern: string
    readonly ignore_case?: true
  }[]
  readonly before_program: readonly {
    readonly programs: readonly string[]
    readonly rest: string
    readonly pattern: string
  }[]
  readonly secret_options: readonly SecretOptionsRow[]
  readonly names: {
    readonly key_owners: readonly string[]
    readonly harmless_before: readonly string[]
    readonly about_after: readonly string[]
    readonly switches: readonly string[]
    readonly weak: readonly string[]
  }
  readonly placeholders: {
    readonly demo_passwords: readonly string[]
    readonly leet: Readonly<Record<string, string>>
    readonly published: readonly string[]
  }
}

let parsed: SecretKnowledge | undefined

/** What is known about secrets, parsed on first use. */
export function secretKnowledge(): SecretKnowledge {
  parsed ??= JSON.parse(SECRETS) as SecretKnowledge
  return parsed
}
