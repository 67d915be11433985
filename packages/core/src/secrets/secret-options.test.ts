import { describe, expect, it } from 'vitest'
import { redactJson, redactText } from './redact.ts'

const crypto = { keyedHash: () => 'f'.repeat(64) }
const HIDDEN = /\[redacted:[a-z-]+:f{16}\]/g

/** The text with each secret as `#`. */
const hidden = (text: string): string => redactText(text, crypto).replace(HIDDEN, '#')

describe('secrets on command lines', () => {
  it.each([
    ['mysql -uroot -pQz7pLm db', 'mysql -uroot -p# db'],
    ["mysql -p'Qz7 pLm' db", "mysql -p'#' db"],
    ['sshpass -p Qz7pLm ssh host', 'sshpass -p # ssh host'],
    ['docker login -u bob -p Qz7pLm registry.io', 'docker login -u bob -p # registry.io'],
    ['echo Qz7pLm | docker login -u bob --password-stdin', 'echo # | docker login -u bob --password-stdin'],
    ['docker login --password-stdin <<< Qz7pLm', 'docker login --password-stdin <<< #'],
    ['zip -rP Qz7pLm a.zip b', 'zip -rP # a.zip b'],
    ['aws configure set aws_session_token Qz7pLm', 'aws configure set aws_session_token #'],
    ['kubectl create secret generic a --from-literal=b=Qz7pLm', 'kubectl create secret generic a --from-literal=b=#'],
    ['curl -b a=Qz7pLm https://example.com', 'curl -b a=# https://example.com'],
    ['smbclient //host/share -U bob%Qz7pLm', 'smbclient //host/share -U bob%#'],
    ['openssl rsa -passin pass:Qz7pLm -in key', 'openssl rsa -passin # -in key'],
    [`ssh host "bash -c 'redis-cli -a Qz7pLm'"`, `ssh host "bash -c 'redis-cli -a #'"`],
    ['sudo docker exec db mysql -pQz7pLm', 'sudo docker exec db mysql -p#'],
    ['mysql --passw=Qz7pLm', 'mysql --passw=#'],
    ['unzip -qqPQz7pLm a.zip', 'unzip -qqP# a.zip'],
    ['curl --proxy bob:Qz7pLm@h:1 https://example.com', 'curl --proxy bob:# https://example.com'],
    ["at now <<< 'mysql -pQz7pLm'", "at now <<< 'mysql -p#'"],
    ['qpdf --encrypt Qz7pLm Qz7pLm 256 -- a b', 'qpdf --encrypt # # 256 -- a b'],
    ["redis-cli ACL SETUSER bob on '>Qz7pLm' '~*'", "redis-cli ACL SETUSER bob on '>#' '~*'"],
    ["python3 -c \"os.environ['API_KEY']='Qz7pLm'\"", "python3 -c \"os.environ['API_KEY']='#'\""],
  ])('hides the secret of %s', (command, expected) => expect(hidden(command)).toBe(expected))

  it.each([
    'mysql -p db',
    'docker run -p 8080:80 nginx',
    'docker login registry.io',
    'mkdir -p a/b',
    'aws configure set region eu-west-1',
    'npm config set registry https://registry.example',
    'git config user.name "Ana Sample"',
    'openssl rsa -passin env:KEY_PHRASE -in key',
    'sshpass -p "$WORD" ssh host',
    'gh pr create -b "a text"',
    'unzip -qq a.zip',
    'curl -x http://proxy.example:3128 https://example.com',
    'kubectl get secret -n shop -o name',
    'pulumi config set aws:region eu-west-1',
    'cat 0<<< text; keytool --help',
    'node -e "process.env.MODE = \'dark\'"',
  ])('shows %s as it is', (command) => expect(hidden(command)).toBe(command))

  it('reads lists of words, with the program among them or beside them', () => {
    expect(redactJson({ argv: ['sshpass', '-p', 'Qz7pLm'] }, crypto)).toEqual({
      argv: ['sshpass', '-p', `[redacted:secret:${'f'.repeat(16)}]`],
    })
    expect(redactJson({ command: 'mysql', args: ['-pQz7pLm'] }, crypto)).toEqual({
      command: 'mysql',
      args: [`-p[redacted:secret:${'f'.repeat(16)}]`],
    })
  })
})
