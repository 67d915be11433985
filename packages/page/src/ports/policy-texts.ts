import { CountersignError, isJsonObject, type PolicyFile, type PolicyFiles, readYaml } from '@countersign/core'

/** A policy: YAML text, or the same as an object. Several count as files of one folder. */
export type PagePolicy = string | object | readonly (string | object)[]

/** The policy of a page. */
export interface PagePolicyFiles extends PolicyFiles {
  /** Replaces the policy; calls are judged by it from now on. */
  replace(policy: PagePolicy): void
}

/** Holds the policy in memory. `timeout` is the deadline where no policy names one. */
export function openPolicyTexts(first: PagePolicy, timeout: string): PagePolicyFiles {
  let files = filesOf(first, timeout)
  let version = 1
  return {
    version: () => String(version),
    read: async () => files,
    replace(policy) {
      files = filesOf(policy, timeout)
      version += 1
    },
  }
}

function filesOf(policy: PagePolicy, timeout: string): readonly PolicyFile[] {
  const all = Array.isArray(policy) ? policy : [policy]
  const texts = all.map((one) => (typeof one === 'string' ? one : textOf(one)))
  const own = texts.some(namesTimeout) ? [] : [JSON.stringify({ version: 1, defaults: { timeout } })]
  return [...texts, ...own].map((text, at) => ({
    layer: 'user',
    name: at === texts.length ? 'the page’s default timeout' : `policy ${at + 1} of the page`,
    text,
    trusted: true,
  }))
}

function textOf(policy: object): string {
  try {
    return JSON.stringify(policy)
  } catch (error) {
    throw new CountersignError('CS_POLICY_READ', 'a policy object is not plain data; pass JSON or YAML text', {
      cause: error,
    })
  }
}

function namesTimeout(text: string): boolean {
  const read = readYaml(text)
  if (read.kind === 'refused' || !isJsonObject(read.tree.value)) return false
  const { defaults } = read.tree.value
  return isJsonObject(defaults) && defaults['timeout'] !== undefined
}
