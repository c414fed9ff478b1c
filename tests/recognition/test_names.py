import shlex

from marks import for_each

from microcell.recognition._names import sense_of, words_of
from microcell.recognition._vocabulary import SENSES

IDENTIFIERS = """name surname ssn iban email phone nhs_number nif dni bsn
"codice fiscale" matricule patientID Patientennummer numéro_sécurité_sociale
historia_clinica Telefoonnummer telemovel correu_electronic Steuer-ID passport_no
PATIENT_ID hhid Nachname prénom apellidos cognome achternaam sobrenome cognoms
calle Straße CUSTNAME utilname"""
KNOWN = """age sex gender PLZ postcode zip_code "Código postal" codepostal geburtsdatum
"Date of Birth" dob fecha_nacimiento dataDiNascita geboortedatum data_nascimento
data_naixement city Wohnort ville ciudad città woonplaats cidade ciutat marital-status
Familienstand estado_civil occupation Beruf profession native-country patient_age
city_name CITYNAME admission_date"""
TOLD = """diagnosis Diagnose diagnóstico income salary Einkommen revenu sueldo reddito
inkomen salário sou religion Konfession religião hiv vih HIV_result test_result icd10
ICD-10 maladie enfermedad malattia ziekte doença malaltia income_2020"""
WEIGHTS = "fnlwgt sampling_weight Hochrechnungsfaktor pondération factor_expansion wgt"
NOTHING = "x x1 v_27 foo q2x zipper valid paid namespace"


def split(names):
    return shlex.split(names.replace("\n", " "))


@for_each(
    ("names", "senses"),
    [
        (IDENTIFIERS, {"identifier", "named"}),
        (KNOWN, {"known"}),
        (TOLD, {"told"}),
        (WEIGHTS, {"weights"}),
        (NOTHING, {None}),
    ],
)
def test_names_in_several_languages(names, senses):
    for name in split(names):
        assert sense_of(name) in senses, name


def test_words_of_the_vocabulary_are_as_names_are_split():
    for words in SENSES.values():
        for word in words:
            assert "".join(words_of(word)) == word


@for_each("name", ["", " ", "123", "北京", "\n", "ÄÖÜ"])
def test_any_name_is_taken(name):
    assert sense_of(name) is None
