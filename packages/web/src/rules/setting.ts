import { canonicalJson, type JsonObject } from '@countersign/react'

/** What a setting is about. */
export type Target = { readonly tool: string } | { readonly server: string }

/** The settings of a tool or server, with what they are called here. */
export const SETTINGS = [
  { value: 'default', label: 'Default' },
  { value: 'automatic', label: 'Never ask' },
  { value: 'confirm', label: 'Always ask' },
  { value: 'manual', label: 'Always ask, with a code and a reason' },
  { value: 'deny', label: 'Deny' },
] as const

export type Setting = (typeof SETTINGS)[number]['value']

/** What is set for exactly this tool or server. */
export function settingOf(rules: readonly JsonObject[], target: Target): Setting {
  const found = rules.find((rule) => {
    const { id: _, supervision: __, ...conditions } = rule
    return canonicalJson(conditions) === canonicalJson({ ...target })
  })
  return SETTINGS.find(({ value }) => value === found?.['supervision'])?.value ?? 'default'
}

/** SECURITY: A14 a name with a wildcard, a space or a foreign letter would mean other tools than it seems to. */
const PLAIN = /^[\w.:@-]{1,128}(?:\/[\w.:@-]{1,128})?$/

export function isPlainName(name: string): boolean {
  return PLAIN.test(name)
}
