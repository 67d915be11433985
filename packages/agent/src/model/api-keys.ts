/** The variable of each provider’s key. */
export const MODEL_KEYS = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
} as const

/** Other variables with keys of these providers: `OPENAI_ADMIN_KEY`, `ANTHROPIC_AUTH_TOKEN`, … */
const RELATED =
  /^(?:OPENAI|ANTHROPIC|CLAUDE|GOOGLE|GEMINI)_(?:[A-Z0-9_]+_)?(?:API_KEY|ADMIN_KEY|AUTH_TOKEN|OAUTH_TOKEN)$/

/** The environment without model keys: no command needs them, and any could leak them. */
export function withoutModelKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const keys: readonly string[] = Object.values(MODEL_KEYS)
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !keys.includes(name) && !RELATED.test(name.toUpperCase())),
  )
}
