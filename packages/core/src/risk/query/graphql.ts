import type { Json, JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'

/** A GraphQL document: the fields of its mutations, none if it only reads. */
export interface GraphqlDocument {
  readonly mutations: readonly string[]
  /** The arguments of those fields in the document, by name, with nested ones on the same level. */
  readonly given: JsonObject
}

const MAX_TEXT = 64 * 1024
const TOKEN = /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|[A-Za-z_]\w*|[{}():@!]/g

/** The GraphQL document among the arguments; null if there is none. */
export function findGraphql(toolName: string, objects: readonly JsonObject[]): GraphqlDocument | null {
  const expected = nameWords(toolName).some((word) => word === 'graphql' || word === 'gql')
  for (const object of objects) {
    for (const key of ['query', 'mutation', 'document', 'graphql', 'gql', 'body']) {
      const text = object[key]
      if (typeof text !== 'string' || text.length > MAX_TEXT || !text.includes('{')) continue
      if (/^\s*mutation\b/.test(text) || (expected && /^\s*(?:\{|query\b|subscription\b|fragment\b|#)/.test(text)))
        return readDocument(text)
    }
  }
  return null
}

/** Reads the fields directly below each `mutation`; deeper ones only choose what is returned. */
function readDocument(text: string): GraphqlDocument {
  const mutations: string[] = []
  let depth = 0
  let brackets = 0
  let inMutation = false
  let before = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('"') || token.startsWith('#')) continue
    if (token === '(') brackets++
    else if (token === ')') brackets--
    else if (brackets > 0) continue
    else if (token === '{') depth++
    else if (token === '}') depth = Math.max(0, depth - 1)
    else if (
      depth === 0 &&
      (token === 'mutation' || token === 'query' || token === 'subscription' || token === 'fragment')
    )
      inMutation = token === 'mutation'
    else if (token === ':' && depth === 1 && inMutation) mutations.pop()
    else if (depth === 1 && inMutation && /^\w/.test(token) && before !== '@') mutations.push(token)
    before = token
  }
  return { mutations: mutations.slice(0, 64), given: givenIn(text) }
}

function givenIn(text: string): JsonObject {
  const given: Record<string, Json> = {}
  for (const [, name = '', value = ''] of text.matchAll(/\b([A-Za-z]\w{0,63})\s*:\s*("[^"\n]{0,200}"|\w{1,64})/g)) {
    if (name === '__proto__') continue
    given[name] = value === 'true' ? true : value === 'false' ? false : value.replaceAll('"', '')
  }
  return given
}
