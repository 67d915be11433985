import type { VariableMembers } from './header-variables.ts'

/** A folder that paths of the table start from. */
export type Base = 'home' | 'config' | 'project'

/** Where a client keeps servers, and how it spells them. */
export interface ClientPlace {
  /** `config` is `~/.config` on Linux and `~/Library/Application Support` on macOS. */
  readonly base: Base
  readonly path: string
  readonly format: 'json' | 'toml'
  /** The keys that lead to the servers; `*` is any one key. */
  readonly servers: readonly (readonly string[])[]
}

/** How a client spells one server. */
export interface ClientShape {
  /** The key of a server's address, most usual first. */
  readonly url: readonly string[]
  readonly headers: string
  readonly env: string
  /** `words`: the whole command line is one list. */
  readonly command: 'program' | 'words'
  /** The value of `type` for a command; null where the client has no `type`. */
  readonly stdio: string | null
  /** The value of `type` for an address. */
  readonly http: string
  /** Values of `type` that mean HTTP, in whichever of its two transports: the proxy finds out. */
  readonly httpTypes: readonly string[]
  /** How it names variables of its own that hold headers; null where it does not, or hands none on to what it starts. */
  readonly variables: VariableMembers | null
}

export interface Client {
  readonly id: string
  readonly name: string
  readonly places: readonly ClientPlace[]
  readonly shape: ClientShape
}

const USUAL: ClientShape = {
  url: ['url'],
  headers: 'headers',
  env: 'env',
  command: 'program',
  stdio: 'stdio',
  http: 'http',
  httpTypes: ['http', 'streamable-http', 'streamableHttp', 'sse', 'SSE'],
  variables: null,
}

const json = (base: Base, path: string, ...servers: readonly (readonly string[])[]): ClientPlace => ({
  base,
  path,
  format: 'json',
  servers: servers.length === 0 ? [['mcpServers']] : servers,
})
const toml = (base: Base, path: string, ...servers: readonly (readonly string[])[]): ClientPlace => ({
  base,
  path,
  format: 'toml',
  servers,
})

const codePlaces = (folder: string): readonly ClientPlace[] => [
  json('config', `${folder}/User/mcp.json`, ['servers']),
  json('config', `${folder}/User/settings.json`, ['mcp', 'servers']),
]
const GEMINI: ClientShape = { ...USUAL, url: ['httpUrl', 'url'], stdio: null }

/** Every client that `countersign mcp wrap` knows. Adding one is adding a row. */
export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    places: [json('config', 'Claude/claude_desktop_config.json')],
    shape: USUAL,
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    places: [
      json('home', '.claude.json', ['mcpServers'], ['projects', '*', 'mcpServers']),
      json('project', '.mcp.json'),
    ],
    shape: USUAL,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    places: [json('home', '.cursor/mcp.json'), json('project', '.cursor/mcp.json')],
    shape: USUAL,
  },
  {
    id: 'vscode',
    name: 'VS Code',
    places: [
      ...codePlaces('Code'),
      ...codePlaces('Code - Insiders'),
      ...codePlaces('VSCodium'),
      json('project', '.vscode/mcp.json', ['servers']),
      json('project', '.vscode/settings.json', ['mcp', 'servers']),
    ],
    shape: USUAL,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    places: [json('home', '.gemini/settings.json'), json('project', '.gemini/settings.json')],
    shape: GEMINI,
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    places: [json('home', '.qwen/settings.json'), json('project', '.qwen/settings.json')],
    shape: GEMINI,
  },
  {
    id: 'codex',
    name: 'Codex',
    places: [
      toml('home', '.codex/config.toml', ['mcp_servers']),
      toml('project', '.codex/config.toml', ['mcp_servers']),
    ],
    shape: {
      ...USUAL,
      headers: 'http_headers',
      stdio: null,
      variables: { bearer: 'bearer_token_env_var', headers: 'env_http_headers', handedOn: 'env_vars' },
    },
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    places: [json('home', '.codeium/windsurf/mcp_config.json')],
    shape: { ...USUAL, url: ['serverUrl', 'url'], stdio: null },
  },
  {
    id: 'zed',
    name: 'Zed',
    places: [
      json('home', '.config/zed/settings.json', ['context_servers']),
      json('project', '.zed/settings.json', ['context_servers']),
    ],
    shape: { ...USUAL, stdio: null },
  },
  {
    id: 'cline',
    name: 'Cline',
    places: [
      json('config', 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
      json('home', '.cline/data/settings/cline_mcp_settings.json'),
    ],
    shape: { ...USUAL, http: 'streamableHttp' },
  },
  {
    id: 'roo',
    name: 'Roo Code',
    places: [
      json('config', 'Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'),
      json('project', '.roo/mcp.json'),
    ],
    shape: { ...USUAL, http: 'streamable-http' },
  },
  {
    id: 'opencode',
    name: 'opencode',
    places: [
      json('home', '.config/opencode/opencode.json', ['mcp']),
      json('home', '.config/opencode/opencode.jsonc', ['mcp']),
      json('project', 'opencode.json', ['mcp']),
      json('project', 'opencode.jsonc', ['mcp']),
    ],
    shape: { ...USUAL, env: 'environment', command: 'words', stdio: 'local', http: 'remote', httpTypes: ['remote'] },
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    places: [json('home', '.copilot/mcp-config.json')],
    shape: { ...USUAL, stdio: 'local' },
  },
  {
    id: 'kiro',
    name: 'Kiro',
    places: [json('home', '.kiro/settings/mcp.json'), json('project', '.kiro/settings/mcp.json')],
    shape: { ...USUAL, stdio: null },
  },
  { id: 'lmstudio', name: 'LM Studio', places: [json('home', '.lmstudio/mcp.json')], shape: { ...USUAL } },
]

/** A client by the name a person types. */
export function findClient(id: string): Client | undefined {
  return CLIENTS.find((client) => client.id === id)
}
