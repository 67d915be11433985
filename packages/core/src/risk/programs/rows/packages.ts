import { assessRake } from '../interpreters/framework-commands.ts'
import {
  assessBazel,
  assessBuilder,
  assessFastlane,
  assessNix,
  assessProjectVerbs,
  assessToolchain,
} from '../packages/build-tools.ts'
import { assessNodePackages } from '../packages/node.ts'
import { assessByMode, assessSystemPackages } from '../packages/operating-system.ts'
import {
  assessBundle,
  assessCargo,
  assessComposer,
  assessDotnet,
  assessGem,
  assessGo,
  assessNuget,
} from '../packages/other-languages.ts'
import { assessCmake, assessDevTool, assessFormatter, assessMake } from '../packages/project-tools.ts'
import { assessPythonPackages, assessTwine } from '../packages/python.ts'
import { assessRunner } from '../packages/runners.ts'
import { DEV_TOOLS, FORMATTERS } from '../packages/well-known-tools.ts'
import { fixed, type ProgramRow, READS } from './program-row.ts'

/** Programs for packages, builds and project tools. */
export const PACKAGES: readonly ProgramRow[] = [
  ['npm pnpm yarn bun cnpm', assessNodePackages],
  ['pip pip2 pip3 uv poetry pipenv pdm rye hatch conda mamba micromamba pipx flit pixi', assessPythonPackages],
  ['virtualenv', fixed('low', 'code.venv', 'makes a virtual environment')],
  ['twine', assessTwine],
  ['cargo rustup', assessCargo],
  ['go', assessGo],
  ['gem', assessGem],
  ['bundle bundler', assessBundle],
  ['composer', assessComposer],
  ['dotnet', assessDotnet],
  ['nuget', assessNuget],
  [
    'apt apt-get apt-cache apt-file apt-mark aptitude nala dnf dnf5 yum microdnf brew apk zypper snap flatpak port mas pkg ' +
      'xbps-install emerge eopkg winget choco scoop opkg tdnf rpm-ostree apt-config',
    assessSystemPackages,
  ],
  ['dpkg rpm pacman yay paru', assessByMode],
  ['dpkg-query apt-listchanges rpmkeys dpkg-deb apt-rdepends pkgutil', READS],
  ['apt-key add-apt-repository rpm-import', fixed('high', 'packages.sources', 'changes where programs come from')],
  [
    'dpkg-reconfigure update-alternatives alternatives',
    fixed('medium', 'packages.system', 'changes installed programs'),
  ],
  ['npx bunx uvx pnpx', assessRunner],
  [
    'make gmake bmake just task ninja thor invoke inv nox tox scons mage grunt gulp jake earthly dagger meson waf redo doit poe',
    assessMake,
  ],
  ['rake', assessRake],
  ['cmake', assessCmake],
  ['mvn mvnw mvnd gradle gradlew ant sbt mill lein boot', assessBuilder],
  ['bazel bazelisk buck buck2 pants please', assessBazel],
  [
    'nix nix-build nix-shell nix-env nix-store nix-channel nix-instantiate nix-collect-garbage nixos-rebuild darwin-rebuild home-manager guix devbox devenv',
    assessNix,
  ],
  ['fastlane', assessFastlane],
  [
    'flutter dart pod mix stack cabal opam luarocks cpan cpanm nimble shards conan vcpkg spack swift carthage ' +
      'tuist goreleaser rebar3 hex gleam elm-json maturin cibuildwheel pub haxelib dub raco quicklisp ros lazbuild',
    assessProjectVerbs,
  ],
  [
    'changeset changesets semantic-release release-it np release-please auto vsce ovsx standard-release ' +
      'jreleaser publish-please',
    (facts) => {
      const reads = facts.part.args.some(({ value }) =>
        /^(?:status|ls|list|show|--dry-run|-d|--ci-dry)$/.test(value ?? ''),
      )
      const own = /^changesets?$/.test(facts.program) || facts.program === 'vsce'
      const only = facts.part.args[0]?.value ?? ''
      if (reads) return fixed('none', 'packages.none', 'only shows what it would do')(facts)
      return own && !/^(?:publish|tag|unpublish)$/.test(only)
        ? fixed('medium', 'packages.version', 'changes versions and notes of the project')(facts)
        : fixed('high', 'packages.publish', 'publishes for everybody')(facts)
    },
  ],
  [DEV_TOOLS, assessDevTool],
  [FORMATTERS, assessFormatter],
  [
    'serve http-server live-server json-server browser-sync php-server devd miniserve',
    fixed('medium', 'network.listen', 'serves files to the network'),
  ],
  [
    'nvm pyenv rbenv asdf fnm volta sdk corepack n nodenv jenv goenv tfenv tgenv rvm chruby proto jabba gvm swiftenv juliaup ghcup kerl phpenv phpbrew',
    assessToolchain,
  ],
  ['java', fixed('low', 'code.java', 'runs the project’s own code')],
  [
    'javap jps jstack jmap jcmd jstat jinfo jdeps jlink jconsole jhsdb scala-cli',
    fixed('low', 'code.java', 'looks at or runs Java code'),
  ],
  ['jar', fixed('medium', 'files.archive', 'packs or unpacks files')],
]
