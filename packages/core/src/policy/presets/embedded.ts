// Made from the YAML beside it by `node scripts/embed-presets.ts`. Do not edit.
import type { PresetName } from './preset-name.ts'

/** The presets, as their files say. */
export const PRESET_TEXTS: Readonly<Record<PresetName, string>> = {
  paranoid: `# Nothing changes without a person, and nothing critical happens at all.
version: 1
rows:
  none: notify
  low: confirm
  medium: confirm
  high: manual
  critical: deny
  undescribed: manual
  ignores_declarations: false
rules:
  - id: paranoid.credentials
    any:
      - path:
          inside:
            - ~/.ssh
            - ~/.gnupg
            - ~/.aws
            - ~/.azure
            - ~/.kube
            - ~/.docker
            - ~/.config/gcloud
            - ~/.config/gh
            - ~/.netrc
            - ~/.npmrc
            - ~/.pypirc
            - ~/.git-credentials
            - ~/.password-store
            - ~/.local/share/keyrings
      - path:
          glob: ["**/.env", "**/.env.*", "**/*.pem", "**/*.key", "**/*.p12", "**/id_{rsa,dsa,ecdsa,ed25519}"]
          except: ["**/.env.{example,sample,template}"]
    supervision: deny
    reason: credentials are not for agents under this preset

  - id: paranoid.outside
    kind: [write, delete, move]
    path: { outside: ["\${workspace}", "\${temp}"] }
    supervision: manual
    floor: true
    reason: it changes something outside the workspace

  - id: paranoid.sends
    kind: send
    supervision: manual
    floor: true
    reason: what is sent cannot be taken back
tests:
  - call: { tool: read_file, args: { path: src/index.ts } }
    expect: { supervision: notify, risk: none }
  - call: { tool: write_file, args: { path: src/index.ts, content: x } }
    expect: { supervision: confirm }
  - call: { tool: read_file, args: { path: ~/.ssh/id_ed25519 } }
    expect: { supervision: deny, rule: paranoid.credentials }
  - call: { tool: read_file, args: { path: .env } }
    expect: { supervision: deny, rule: paranoid.credentials }
  - call: { tool: read_file, args: { path: .env.example } }
    expect: { supervision: notify }
  - call: { tool: execute_command, args: { command: git status } }
    expect: { supervision: notify }
  - call: { tool: execute_command, args: { command: "git status; rm -rf ~" } }
    expect: { supervision: deny, risk: critical }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: manual }
`,
  balanced: `# The default: reading runs, everyday editing runs with a notice and a copy, other changes ask.
version: 1
rows:
  none: automatic
  low: automatic
  medium: confirm
  high: confirm
  critical: manual
  undescribed: confirm
  ignores_declarations: false
rules:
  # A copy is kept first, and \`countersign undo\` puts it back. Where no copy can be made, or a secret is found, a person
  # is asked. Only of tools whose name is known: that an unknown \`update_note\` with a path changes a file, and nothing
  # else, is a guess.
  #
  # Source, tests, build files and scripts are everyday editing: they run when somebody runs the project, and a review
  # shows them. Not so what is excepted: it holds secrets, or runs or steers without anyone meaning to run the project,
  # or lies where no review looks.
  - id: balanced.project-writes
    kind: write
    any:
      - tool: [write, write_file, writefile, write_to_file, create_file, create, save_file, append_file, edit]
      - tool: [edit_file, multiedit, multi_edit, replace, replace_in_file, replace_file_content]
      - tool: [replace_string_in_file, multi_replace_string_in_file, insert_edit_into_file, insert_content]
      - tool: [search_replace, search_and_replace, notebookedit, edit_notebook, edit_notebook_file]
      - tool: [create_new_jupyter_notebook, create_directory, make_directory, mkdir, apply_patch, apply_diff]
      - tool: [applypatch, applydiff, patch, copy, copy_file, copy_path, cp, str_replace_based_edit_tool]
      - tool: [str_replace_editor, text_editor, developer__text_editor]
    path:
      inside: "\${workspace}"
      except:
        # Secrets.
        - "**/.env*"
        - "**/*.env"
        - "**/*.{pem,key,p12,pfx,jks,keystore,kdbx,tfvars}"
        - "**/.{npmrc,yarnrc,yarnrc.yml,pypirc,netrc,pgpass,htpasswd,git-credentials,dockercfg}"
        - "**/.{aws,azure,ssh,gnupg,kube,docker,secrets}/**"
        # The repository itself, and what it runs on a commit, a checkout or a push.
        - "**/.{git,hg,svn,jj,husky,lefthook,githooks}/**"
        - "**/.{gitattributes,gitmodules,gitconfig,pre-commit-config.yaml,lintstagedrc}"
        - "**/{lefthook,lefthook-local}.{yml,yaml,toml,json}"
        # Pipelines: they run elsewhere, with other secrets. Who must review what.
        - "**/.{github,gitlab,circleci,buildkite,woodpecker,forgejo,gitea,drone,azure-pipelines,tekton}/**"
        - "**/.{gitlab-ci,travis,drone,woodpecker,goreleaser}.{yml,yaml}"
        - "**/{azure-pipelines,bitbucket-pipelines,appveyor,cloudbuild,buildspec}.{yml,yaml}"
        - "**/Jenkinsfile*"
        - "**/CODEOWNERS"
        # What an editor, a container, a shell or a debugger runs when it opens the folder.
        - "**/.{vscode,vscode-server,idea,fleet,zed,devcontainer,direnv,mise}/**"
        - "**/*.code-workspace"
        - "**/.{vimrc,exrc,nvimrc,nvim.lua,lvimrc,dir-locals.el,devcontainer.json}"
        - "**/.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zshenv,zprofile,zlogin,inputrc,kshrc}"
        - "**/.{gdbinit,lldbinit,irbrc,pryrc,pythonrc,pythonrc.py,Rprofile,psqlrc,sqliterc}"
        - "**/{mise,.mise}.toml"
        # What an interpreter or a package manager loads on its own.
        - "**/{sitecustomize,usercustomize}.py"
        - "**/*.pth"
        - "**/.{pnpmfile.cjs,pnpmfile.mjs,bazelrc}"
        - "**/.{cargo,mvn,bundle}/**"
        # Installed code, which no review looks at.
        - "**/{node_modules,site-packages,.venv,venv,.tox,.yarn}/**"
        # What steers agents, and the programs they start.
        - "**/{AGENTS,CLAUDE,CLAUDE.local,GEMINI}.md"
        - "**/.{cursorrules,windsurfrules,clinerules,roorules,goosehints,aider.conf.yml,mcp.json}"
        - "**/{mcp,opencode}.{json,jsonc}"
        - "**/.{countersign,claude,cursor,codex,gemini,copilot,opencode,windsurf,cline,clinerules,roo,kiro,continue,agents,goose,amazonq,junie}/**"
    risk: { at_least: medium }
    unless: { server: "*" }
    supervision: notify
    checks: [backup, secrets]

  # A link gives a file a second name, and under that one writing it may be no everyday editing.
  - id: balanced.links
    command: { program: ln }
    risk: { at_most: medium }
    supervision: confirm
tests:
  - call: { tool: read_file, args: { path: src/index.ts } }
    expect: { supervision: automatic, risk: none }
  - call: { tool: execute_command, args: { command: git status } }
    expect: { supervision: automatic }
  - name: everyday editing shows a notice
    call: { tool: write_file, args: { path: src/index.ts, content: x } }
    expect: { supervision: notify, risk: medium }
  - name: an edit is no different
    call: { tool: edit_file, args: { path: "\${workspace}/README.md", old_string: a, new_string: b } }
    expect: { supervision: notify }
  - name: not where secrets are kept
    call: { tool: write_file, args: { path: config/.env.local, content: x } }
    expect: { supervision: confirm }
  - name: nor what runs later by itself
    call: { tool: write_file, args: { path: .git/hooks/pre-commit, content: x } }
    expect: { supervision: confirm }
  - name: nor what an agent obeys
    call: { tool: write_file, args: { path: docs/AGENTS.md, content: x } }
    expect: { supervision: confirm }
  - name: nor what is installed
    call: { tool: write_file, args: { path: node_modules/left-pad/index.js, content: x } }
    expect: { supervision: confirm }
  - name: nor one file of several
    call: { tool: write_file, args: { files: [{ path: a.ts, content: x }, { path: .envrc, content: x }] } }
    expect: { supervision: confirm }
  - name: nor is it prepared by a link
    call: { tool: execute_command, args: { command: ln -s ../src/tasks.json .vscode/tasks.json } }
    expect: { supervision: confirm }
  - name: a build file is everyday editing
    call: { tool: write_file, args: { path: package.json, content: x } }
    expect: { supervision: notify }
  - name: a tool that only seems to write a file asks
    call: { tool: update_note, args: { path: billing.enabled, value: x } }
    expect: { supervision: confirm }
  - name: nor outside the workspace
    call: { tool: write_file, args: { path: ../other/index.ts, content: x } }
    expect: { supervision: confirm }
  - name: nor what a command writes, which is judged by the command
    call: { tool: execute_command, args: { command: "sed -i s/a/b/ src/index.ts" } }
    expect: { supervision: confirm }
  - name: nor a deletion
    call: { tool: delete_file, args: { path: src/index.ts } }
    expect: { supervision: confirm }
  - name: nor a server's tool, whatever it is called
    call: { tool: write_file, server: files, args: { path: src/index.ts, content: x } }
    expect: { supervision: confirm }
  - name: an undo is confirmed
    call: { tool: undo, args: { path: src/index.ts } }
    expect: { supervision: confirm }
  - name: a safe start does not carry a dangerous end
    call: { tool: execute_command, args: { command: "git status; rm -rf ~" } }
    expect: { supervision: manual, risk: critical }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: confirm }
  - name: get does not make a read of get_and_delete_note
    call: { tool: get_and_delete_note, args: {} }
    expect: { supervision: confirm }
  - name: a server's tool asks, whatever it says about itself
    call: { tool: read_everything, server: notes, args: {}, annotations: { readOnlyHint: true } }
    expect: { supervision: confirm }
`,
  permissive: `# Everyday changes run with a notice; what is high or critical asks.
version: 1
rows:
  none: automatic
  low: automatic
  medium: notify
  high: confirm
  critical: manual
  undescribed: confirm
  ignores_declarations: false
tests:
  - call: { tool: read_file, args: { path: src/index.ts } }
    expect: { supervision: automatic }
  - call: { tool: execute_command, args: { command: "git status; rm -rf ~" } }
    expect: { supervision: manual, risk: critical }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: confirm }
`,
  'read-only': `# Looking is free, everything else is refused.
version: 1
rows:
  none: automatic
  low: deny
  medium: deny
  high: deny
  critical: deny
  undescribed: deny
  ignores_declarations: false
rules:
  # The row could be answered by a rule of the person; these denies could not.
  - id: read-only.changes
    kind: [write, delete, move, send]
    supervision: deny
    reason: the preset read-only refuses everything that changes something

  - id: read-only.commands
    kind: execute
    risk: { at_least: low }
    supervision: deny
    reason: the preset read-only runs only commands that read

  - id: read-only.requests
    url: { method: [POST, PUT, PATCH, DELETE] }
    supervision: deny
    reason: the preset read-only fetches and does not send
tests:
  - call: { tool: read_file, args: { path: src/index.ts } }
    expect: { supervision: automatic }
  - call: { tool: execute_command, args: { command: git status } }
    expect: { supervision: automatic }
  - call: { tool: write_file, args: { path: src/index.ts, content: x } }
    expect: { supervision: deny, rule: read-only.changes }
  - name: a redirection is a write
    call: { tool: execute_command, args: { command: echo x > notes.txt } }
    expect: { supervision: deny }
  - call: { tool: execute_command, args: { command: npm install } }
    expect: { supervision: deny }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: deny }
`,
  classic: `# Nothing is held and all is recorded. Only what protects the gate itself, and your own rules, still hold.
version: 1
rows:
  none: automatic
  low: automatic
  medium: automatic
  high: automatic
  critical: automatic
  undescribed: automatic
  ignores_declarations: true
tests:
  - call: { tool: write_file, args: { path: src/index.ts, content: x } }
    expect: { supervision: automatic }
  - call: { tool: execute_command, args: { command: "git status; rm -rf ~" } }
    expect: { supervision: automatic, risk: critical }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: automatic }
  - name: a server's tool
    call: { tool: read_everything, server: notes, args: {} }
    expect: { supervision: automatic }
`,
}
