//! The first config: its text from a few answers.
//!
//! Invariant: what is written here is read back by `file` without a fault, whatever was answered.

use super::ConfigError;
use super::file::parse_settings;
use pithead_core::text::atomic_file::write_atomically;
use std::path::Path;

/// A service with an endpoint of the form that OpenAI made common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    pub title: &'static str,
    /// The name that a config gives it.
    pub name: &'static str,
    pub base_url: &'static str,
    /// Where its users keep the key.
    pub key_env: &'static str,
    /// A model of it, as an example.
    pub example: &'static str,
}

/// Services that can be chosen by number; any other is given by its address.
pub const SERVICES: [Service; 5] = [
    Service {
        title: "OpenAI",
        name: "openai",
        base_url: "https://api.openai.com/v1",
        key_env: "OPENAI_API_KEY",
        example: "gpt-4o-mini",
    },
    Service {
        title: "Anthropic",
        name: "anthropic",
        base_url: "https://api.anthropic.com/v1",
        key_env: "ANTHROPIC_API_KEY",
        example: "claude-haiku-4-5",
    },
    Service {
        title: "Gemini",
        name: "gemini",
        base_url: "https://generativelanguage.googleapis.com/v1beta/openai",
        key_env: "GEMINI_API_KEY",
        example: "gemini-2.0-flash",
    },
    Service {
        title: "Qwen (DashScope)",
        name: "qwen",
        base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        key_env: "DASHSCOPE_API_KEY",
        example: "qwen-plus",
    },
    Service {
        title: "GLM (Zhipu)",
        name: "glm",
        base_url: "https://open.bigmodel.cn/api/paas/v4",
        key_env: "ZHIPUAI_API_KEY",
        example: "glm-4-flash",
    },
];

/// What a first config is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstConfig {
    /// The name of the server.
    pub server: String,
    pub base_url: String,
    pub model: String,
    /// The variable that holds the key; none for a server that takes no key.
    pub key_env: Option<String>,
    /// Tokens that a run may use.
    pub tokens: u64,
}

/// Enough for a long run with a small model; a diamond takes some 50,000.
pub const TOKENS: u64 = 400_000;

impl FirstConfig {
    /// The text of the file, with a word on each part.
    pub fn text(&self) -> Result<String, String> {
        let mut text = String::from(
            "# Pithead's settings; docs/MODELS.md explains all of them. Keys are never written here.\n\n",
        );
        text += &format!("[llm.servers.{}]\n", key(&self.server));
        text += &format!("base_url = {}\n", quoted(&self.base_url));
        if let Some(name) = &self.key_env {
            text += &format!(
                "key_env = {}    # the environment variable that holds the key\n",
                quoted(name)
            );
        }
        text += "\n# All roles; a role that needs a better model gets a part of its own, for example [llm.roles.planner].\n";
        text += &format!(
            "[llm.roles.default]\nserver = {}\nmodel = {}\n",
            quoted(&self.server),
            quoted(&self.model)
        );
        text += &format!(
            "\n# What one run may use.\n[llm.budget]\ntokens = {}\n",
            self.tokens
        );
        // What cannot be read back is not written.
        parse_settings(&text).map(|_| text)
    }

    /// Writes the file, which must not be there yet.
    pub fn write(&self, path: &Path) -> Result<(), ConfigError> {
        let fault = |because: String| ConfigError::File {
            path: path.to_owned(),
            because,
        };
        let text = self.text().map_err(fault)?;
        if path.exists() {
            return Err(fault("it is there already".to_owned()));
        }
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder
            .and_then(|()| write_atomically(path, text.as_bytes()))
            .map_err(|error| fault(error.to_string()))
    }
}

/// As TOML writes a text, with whatever it holds.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A key that may stand bare, or else quoted.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) {
        return name.to_owned();
    }
    quoted(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::mind::role::MindRole;

    fn first() -> FirstConfig {
        FirstConfig {
            server: "ollama".to_owned(),
            base_url: "http://127.0.0.1:11434/v1".to_owned(),
            model: "qwen2.5:14b".to_owned(),
            key_env: None,
            tokens: TOKENS,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = first().text().unwrap();
        let llm = parse_settings(&text).unwrap().llm;
        assert_eq!(llm.servers["ollama"].base_url, "http://127.0.0.1:11434/v1");
        let planner = llm.role(MindRole::Planner).unwrap();
        assert_eq!(planner.models[0].model, "qwen2.5:14b");
        assert_eq!(llm.budget.tokens, Some(TOKENS));
    }

    #[test]
    fn no_answer_breaks_out_of_its_place() {
        let hostile = FirstConfig {
            server: "a]\n[console".to_owned(),
            base_url: "http://h/v1\"\nkey_file = \"/etc/passwd".to_owned(),
            model: "m\"\"\"\\".to_owned(),
            key_env: Some("KEY\n#".to_owned()),
            tokens: 1,
        };
        // Refused, or read back as it was answered; nothing between.
        if let Ok(text) = hostile.text() {
            let llm = parse_settings(&text).unwrap().llm;
            let server = &llm.servers[&hostile.server];
            assert_eq!(server.base_url, hostile.base_url);
            assert_eq!(
                (&server.key_env, &server.key_file),
                (&hostile.key_env, &None)
            );
            assert_eq!(llm.roles["default"].model.as_ref(), Some(&hostile.model));
        }
        for service in SERVICES {
            let of = FirstConfig {
                server: service.name.to_owned(),
                base_url: service.base_url.to_owned(),
                key_env: Some(service.key_env.to_owned()),
                ..first()
            };
            assert!(of.text().is_ok(), "{service:?}");
        }
    }

    #[test]
    fn a_config_that_is_there_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/config.toml");
        first().write(&path).unwrap();
        let before = std::fs::read_to_string(&path).unwrap();
        let other = FirstConfig {
            tokens: 1,
            ..first()
        };
        let refused = other.write(&path).unwrap_err().to_string();
        assert!(refused.contains("it is there already"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
    }
}
