import { type ConfigFixture, SECRET } from './config.fixture.ts'
import { EDITOR_CONFIGS } from './editor-configs.fixture.ts'

/** One for each client, or more if a client has several. */
export const CONFIGS: readonly ConfigFixture[] = [
  {
    client: 'claude-desktop',
    path: '.config/Claude/claude_desktop_config.json',
    text: `{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/home/you/Documents"
      ]
    },
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_TOKEN": "${SECRET}" }
    },
    "time": { "command": "uvx" }
  }
}
`,
    wrapped: {
      filesystem: 'npx -y @modelcontextprotocol/server-filesystem /home/you/Documents',
      github: 'docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server',
      time: 'uvx',
    },
    left: {},
  },
  {
    client: 'claude-code',
    path: '.claude.json',
    text: `{"numStartups":12,"tipsHistory":{"a":1},"mcpServers":{"sentry":{"type":"http","url":"https://mcp.sentry.example/mcp","headers":{"Authorization":"Bearer ${SECRET}","X-Team":"a b"}},"old":{"type":"sse","url":"https://old.example/sse"}},"projects":{"/home/you/app":{"allowedTools":[],"mcpServers":{"db":{"type":"stdio","command":"npx","args":[],"env":{}}},"disabledMcpServers":[]},"/home/you/web":{"mcpServers":{}}}}`,
    wrapped: { sentry: 'https://mcp.sentry.example/mcp', old: 'https://old.example/sse', db: 'npx' },
    left: {},
  },
  {
    client: 'claude-code',
    path: 'project/.mcp.json',
    text: `{
\t"mcpServers": {
\t\t"my server": {
\t\t\t"args": ["\${PWD}/server.js"],
\t\t\t"command": "node"
\t\t},
\t\t"my/server": { "command": "node", "args": ["other.js"] }
\t}
}`,
    wrapped: { 'my server': 'node ${PWD}/server.js', 'my/server': 'node other.js' },
    left: {},
  },
  {
    client: 'cursor',
    path: '.cursor/mcp.json',
    text: `// servers of this machine
{
    "mcpServers": {
        "browser": {
            "url": "http://127.0.0.1:8931/mcp", // the port of the browser
        },
        /* "off": { "command": "nothing" }, */
        "notes": { "command" : "/usr/bin/notes" , "envFile": "\${workspaceFolder}/.env" },
    },
}
`,
    wrapped: { browser: 'http://127.0.0.1:8931/mcp', notes: '/usr/bin/notes' },
    left: {},
  },
  {
    client: 'vscode',
    path: 'project/.vscode/mcp.json',
    text: `{
  "inputs": [
    { "type": "promptString", "id": "token", "description": "Token", "password": true }
  ],
  "servers": {
    "github": {
      "url": "https://api.githubcopilot.com/mcp/",
      "headers": {
        "Authorization": "Bearer \${input:token}"
      },
      "type": "http"
    },
    "playwright": {
      "type": "stdio",
      "command": "npx",
      "args": [
        // always the newest
        "@playwright/mcp@latest"
      ],
      "env": { "TOKEN": "\${input:token}" }
    }
  }
}
`,
    wrapped: { github: 'https://api.githubcopilot.com/mcp/', playwright: 'npx @playwright/mcp@latest' },
    left: {},
  },
  {
    client: 'vscode',
    path: '.config/Code/User/settings.json',
    text: '{\r\n  "editor.fontSize": 14, // big\r\n  "mcp": {\r\n    "servers": {\r\n      "fetch": { "type": "stdio", "command": "uvx", "args": ["mcp-server-fetch"] }\r\n    }\r\n  }\r\n}\r\n',
    wrapped: { fetch: 'uvx mcp-server-fetch' },
    left: {},
  },
  {
    client: 'gemini',
    path: '.gemini/settings.json',
    text: `{
  "theme": "Dracula",
  "mcpServers": {
    "git": { "command": "uvx", "args": ["mcp-server-git"], "cwd": "./x", "timeout": 30000, "trust": true },
    "docs": { "httpUrl": "https://docs.example/mcp", "timeout": 5000 },
    "stream": { "url": "https://old.example/sse" },
    "signed": { "httpUrl": "https://sign.example/mcp", "authProviderType": "google_credentials" }
  }
}
`,
    wrapped: { git: 'uvx mcp-server-git', docs: 'https://docs.example/mcp', stream: 'https://old.example/sse' },
    left: { signed: 'signs in' },
  },
  {
    client: 'codex',
    path: '.codex/config.toml',
    text: `model = "gpt-5" # the usual
approval_policy = "on-request"
when = 2026-11-15T08:00:00Z

[mcp_servers.docs]
command = "npx" # node's
args = [
  "-y", # no questions
  "docs-mcp",
]
startup_timeout_sec = 20

[mcp_servers.docs.env]
TOKEN = "${SECRET}"

[mcp_servers."my notes"]
command = 'notes'

[mcp_servers]
short = { command = "uvx", args = ["a b", 'c\\d'] }
keyed = { bearer_token_env_var = "TOKEN", url = "https://keyed.example/mcp", env_http_headers = { A = "B" } }
[mcp_servers.web]
  url = "https://web.example/mcp"
  http_headers = { "X-Key" = "${SECRET}" }

[mcp_servers.signed]
url = "https://sign.example/mcp"
bearer_token_env_var = "TOKEN" # mine
env_http_headers = { "X-Team" = "TEAM" } # ours

[mcp_servers.odd]
url = "https://odd.example/mcp"
bearer_token_env_var = "no name"

[mcp_servers.off]
command = "x"
enabled = false

[[profiles]]
note = """
[mcp_servers.trap]
command = "trap"
"""
`,
    wrapped: {
      docs: 'npx -y docs-mcp',
      'my notes': 'notes',
      short: 'uvx a b c\\d',
      keyed: 'https://keyed.example/mcp',
      web: 'https://web.example/mcp',
      signed: 'https://sign.example/mcp',
      off: 'x',
    },
    left: { odd: 'its `bearer_token_env_var` has an unknown form' },
  },
  {
    client: 'opencode',
    path: '.config/opencode/opencode.jsonc',
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "local": { "type": "local", "command": ["bun", "x", "my-mcp"], "environment": { "A": "b" }, "enabled": true },
    "far": { "type": "remote", "url": "https://far.example/mcp", "enabled": true, "headers": { "Authorization": "Bearer x" } },
    "off": { "type": "local", "command": ["x"], "enabled": false }
  }
}
`,
    wrapped: { local: 'bun x my-mcp', far: 'https://far.example/mcp', off: 'x' },
    left: {},
  },
  {
    client: 'copilot',
    path: '.copilot/mcp-config.json',
    text: `\ufeff{
  "mcpServers": {
    "gh": { "type": "http", "url": "https://gh.example/mcp", "tools": ["*"] },
    "fs": { "type": "local", "command": "npx", "args": [ ], "tools": ["read"] }
  }
}
`,
    wrapped: { gh: 'https://gh.example/mcp', fs: 'npx' },
    left: {},
  },
  {
    client: 'qwen',
    path: '.qwen/settings.json',
    text: `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "server-files", "."], "trust": false, "includeTools": ["read"] },
    "web": { "httpUrl": "https://web.example/mcp", "headers": { "Authorization": "Bearer ${SECRET}" } },
    "stream": { "url": "https://old.example/sse" }
  },
  "selectedAuthType": "openai"
}
`,
    wrapped: { files: 'npx -y server-files .', web: 'https://web.example/mcp', stream: 'https://old.example/sse' },
    left: {},
  },
  {
    client: 'lmstudio',
    path: '.lmstudio/mcp.json',
    text: `{
  "mcpServers": {
    "hub": {
      "url": "https://hub.example/mcp",
      "headers": {
        "Authorization": "Bearer ${SECRET}"
      }
    },
    "query": {
      "url": "https://query.example/mcp?tavilyApiKey=${SECRET}&profile=x"
    },
    "calc": { "command": "calc-mcp" }
  }
}
`,
    wrapped: {
      hub: 'https://hub.example/mcp',
      query: `https://query.example/mcp?tavilyApiKey=${SECRET}&profile=x`,
      calc: 'calc-mcp',
    },
    left: {},
  },
  {
    client: 'codex',
    path: 'project/.codex/config.toml',
    text: `[mcp_servers.a]\r\ncommand = "npx"\r\nargs = [\r\n  "-y",\r\n  "a",\r\n]\r\n\r\n[mcp_servers.b]\r\ncommand = 'bare' # mine\r\n\r\n[mcp_servers.c]\r\nurl = "https://c.example/mcp?key=${SECRET}"\r\n`,
    wrapped: { a: 'npx -y a', b: 'bare', c: `https://c.example/mcp?key=${SECRET}` },
    left: {},
  },
  ...EDITOR_CONFIGS,
]
